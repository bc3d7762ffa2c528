/* Chain of rigid bodies: an elastic joint between two neighbouring nodes, one point a joint.
 *
 *   C^v = (1/2l) (R_1 + R_2)^T (p_2 - p_1) - e3,   D_i C^v = hat(R_i^T (p_2 - p_1)) / 2l
 *   C^u = (1/l) Log(R_1^T R_2) - u*                (rod_pair.h)
 * (Tobin & Rucker, appendix F and eq. (94).) The mean of two rotations is no rotation: at a
 * joint angle t it shortens what lies across the axis by cos(t/2), so that an unstressed arc of
 * a chain is wider than the rod's. */
#include "constraint/rod_element.h"
#include "constraint/rod_pair.h"
#include "constraint/rod_stiffness.h"

XS_INLINE xs_rod_pair_shear mean(const xs_rod_pair *pair) {
  const xs_mat3 *R1 = &pair->x[0].R, *R2 = &pair->x[1].R;
  xs_vec3 half = xs_vec3_scale(0.5, pair->p_s);
  xs_vec3 v1 = xs_mat3_tmul_vec(R1, half), v2 = xs_mat3_tmul_vec(R2, half);
  return (xs_rod_pair_shear){.v = xs_vec3_add(v1, v2),
                             .M = xs_mat3_scale(0.5, xs_mat3_add(*R1, *R2)),
                             .V1 = xs_mat3_hat(v1),
                             .V2 = xs_mat3_hat(v2)};
}

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  xs_rod_pair_evaluate(block, x, mean, first, count, C, G);
}

const xs_row_kind xs_rod_kind_chain = {.name = "rod joint, chain",
                                       .n_rows = 6,
                                       .n_nodes = 2,
                                       .turns_in_sixes = 1,
                                       .evaluate = evaluate,
                                       .stiffness = xs_rod_stiffness_chain};

void xs_rod_chain_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                          xs_vec3 *shear, xs_vec3 *bend) {
  xs_rod_pair_strains(rod, x, mean, *rest_bend, shear, bend);
}
