/* Linear elements with one Gauss point, by the closed form of the half-way rotation.
 *
 *   C^v = (1/l) R^T (p_2 - p_1) - e3,  R = R(1/2) half way from R_1 to R_2   (rod_rotation.h)
 *   D_i R = (I -+ hat(s))/2,  D_i v = hat(v) (I -+ hat(s))/2
 *   C^u = (1/l) Log(R_1^T R_2) - u*                                          (rod_pair.h)
 * The same numbers as rod_element.c gives, at a third of the time; with more points the
 * general element is evaluated. */
#include "constraint/rod_element.h"
#include "constraint/rod_pair.h"
#include "constraint/rod_stiffness.h"

XS_INLINE xs_rod_pair_shear mean(const xs_rod_pair *pair) {
  xs_quat half = xs_rod_half(pair->q);
  xs_rod_pair_shear shear = {.M = xs_so3_matrix(xs_quat_mul(pair->x[0].q, half))};
  shear.v = xs_mat3_tmul_vec(&shear.M, pair->p_s);

  /* hat(v) hat(s) = s v^T - (v.s) I, both halved. */
  xs_vec3 half_s = xs_vec3_scale(0.5 / half.w, xs_quat_vec(half));
  xs_mat3 cross = xs_mat3_hat(xs_vec3_scale(0.5, shear.v)), turn = xs_mat3_outer(half_s, shear.v);
  double dot = xs_vec3_dot(shear.v, half_s);
  for (int i = 0; i < 3; i++) turn.m[i][i] -= dot;
  shear.V1 = xs_mat3_add(cross, xs_mat3_scale(-1, turn));
  shear.V2 = xs_mat3_add(cross, turn);
  return shear;
}

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (block->n_rows == 6) {
    xs_rod_pair_evaluate(block, x, mean, first, count, C, G);
  } else {
    xs_rod_element_evaluate_linear(block, x, first, count, C, G);
  }
}

const xs_row_kind xs_rod_kind_linear = {.name = "rod element, linear",
                                        .n_rows = 6,
                                        .n_nodes = 2,
                                        .turns_in_sixes = 1,
                                        .evaluate = evaluate,
                                        .stiffness = xs_rod_stiffness_element};

void xs_rod_linear_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                           xs_vec3 *shear, xs_vec3 *bend) {
  if (rod->n_gauss == 1) {
    xs_rod_pair_strains(rod, x, mean, *rest_bend, shear, bend);
  } else {
    xs_rod_element_strains(rod, x, rest_bend, shear, bend);
  }
}
