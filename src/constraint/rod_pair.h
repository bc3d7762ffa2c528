/* Two nodes and one Gauss point: what a chain's joint and a reduced linear element share.
 *
 *   C = [v - e3; Theta/l - u*],  Theta = Log(R_1^T R_2)
 *   D_2 C^u = Gamma^-1(Theta)/l,  D_1 C^u = -Gamma^-1(Theta)^T/l     (Tobin & Rucker, (94))
 * They differ in the mean rotation in v = M^T (p_2 - p_1)/l, which each hands in as a function
 * of the pair: M and D_i v. */
#ifndef XS_CONSTRAINT_ROD_PAIR_H
#define XS_CONSTRAINT_ROD_PAIR_H

#include "constraint/rod_rotation.h"
#include "constraint/rod_rows.h"

typedef struct xs_rod_pair {
  const xs_pose *x; /* of nodes 1 and 2 */
  double inv_length;
  xs_quat q;          /* conj(q_1) q_2 */
  xs_vec3 Theta, p_s; /* p_s = (p_2 - p_1)/l */
  xs_mat3 Gi;
} xs_rod_pair;

/* v = M^T p_s, M, and the derivatives of v by body rotations of the two nodes. */
typedef struct xs_rod_pair_shear {
  xs_vec3 v;
  xs_mat3 M, V1, V2;
} xs_rod_pair_shear;

typedef xs_rod_pair_shear xs_rod_pair_mean(const xs_rod_pair *pair);

XS_INLINE xs_rod_pair xs_rod_pair_at(const xs_rod *rod, const xs_pose *x) {
  xs_rod_pair pair = {.x = x, .inv_length = 1 / rod->element_length};
  pair.p_s = xs_vec3_scale(pair.inv_length, xs_vec3_sub(x[1].p, x[0].p));
  pair.q = xs_quat_mul(xs_quat_conj(x[0].q), x[1].q);
  pair.Theta = xs_so3_unit_log(pair.q, &pair.Gi);
  return pair;
}

XS_INLINE void xs_rod_pair_rows(const xs_rod *rod, const xs_pose *x, xs_vec3 rest_bend,
                                xs_rod_pair_mean *mean, const xs_rod_rows *rows) {
  xs_rod_pair pair = xs_rod_pair_at(rod, x);
  xs_rod_pair_shear shear = mean(&pair);
  xs_rod_rows_strain(rows, shear.v, xs_vec3_scale(pair.inv_length, pair.Theta), rest_bend);
  xs_rod_rows_position(rows, 0, -pair.inv_length, &shear.M);
  xs_rod_rows_position(rows, 1, pair.inv_length, &shear.M);

  xs_mat3 Y1 = xs_mat3_scale(-pair.inv_length, xs_mat3_transpose(pair.Gi));
  xs_mat3 Y2 = xs_mat3_scale(pair.inv_length, pair.Gi);
  xs_rod_rows_rotation(rows, 0, &shear.V1, &Y1);
  xs_rod_rows_rotation(rows, 1, &shear.V2, &Y2);
}

/* The evaluate of a kind; inlined with mean constant. */
XS_INLINE void xs_rod_pair_evaluate(const xs_row_block *block, const xs_pose *x,
                                    xs_rod_pair_mean *mean, int first, int count, double *C,
                                    double *G) {
  const xs_rod_element *data = block->data;
  const xs_rod *rod = data->rod;
  xs_vec3 rest_bend = rod->rest_bend[data->index];
  x += block->node[0];
  if (count == 6) {
    xs_rod_rows rows = {C, G, 6};
    xs_rod_pair_rows(rod, x, rest_bend, mean, &rows);
  } else {
    double C6[6], G6[6 * 12];
    xs_rod_rows rows = {C6, G6, 6};
    xs_rod_pair_rows(rod, x, rest_bend, mean, &rows);
    xs_rod_rows_copy(&rows, 0, 2, first, count, C, G);
  }
  xs_rod_rows_leave_out(rod, 2, first, count, C, G);
}

/* C of a pair alone. */
XS_INLINE void xs_rod_pair_strains(const xs_rod *rod, const xs_pose *x, xs_rod_pair_mean *mean,
                                   xs_vec3 rest_bend, xs_vec3 *shear, xs_vec3 *bend) {
  xs_rod_pair pair = xs_rod_pair_at(rod, x);
  xs_vec3 v = mean(&pair).v;
  *shear = (xs_vec3){v.x, v.y, v.z - 1};
  *bend = xs_vec3_sub(xs_vec3_scale(pair.inv_length, pair.Theta), rest_bend);
}

#endif
