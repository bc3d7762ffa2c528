/* The derivative of G^T s for kinds that do not offer it themselves (rows.h). */
#include <string.h>

#include "constraint/rows.h"
#include "math/so3.h"

/* Truncation STEP^4 and round-off 1e-16/STEP meet at about 1e-12. */
#define STEP 1e-3

enum { COLUMNS = 6 * XS_ROW_NODES_MAX };

/* g = G(x)^T s with one node of the block moved along one of its six directions. */
static void moved_force(const xs_row_block *block, xs_pose *x, const double *s, int column,
                        double by, double *g) {
  double C[XS_ROWS_MAX], G[XS_ROWS_MAX * COLUMNS], d[6] = {0};
  xs_pose *pose = &x[block->node[column / 6]];
  const xs_pose at = *pose;
  d[column % 6] = by;
  pose->p = xs_vec3_add(at.p, (xs_vec3){d[0], d[1], d[2]});
  pose->q = xs_so3_plus(at.q, (xs_vec3){d[3], d[4], d[5]});
  pose->R = xs_so3_matrix(pose->q);
  block->kind->evaluate(block, x, 0, block->n_rows, C, G);
  *pose = at;
  for (int i = 0; i < 6 * block->n_nodes; i++) {
    g[i] = 0;
    for (int r = 0; r < block->n_rows; r++) g[i] += G[i * block->n_rows + r] * s[r];
  }
}

void xs_rows_stiffness_difference(const xs_row_block *block, xs_pose *x, const double *s,
                                  double *H) {
  static const double by[4] = {STEP, -STEP, 2 * STEP, -2 * STEP}, weight[4] = {8, -8, -1, 1};
  const int n = 6 * block->n_nodes;
  memset(H, 0, (size_t)(n * n) * sizeof *H);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 4; k++) {
      double g[COLUMNS] = {0};
      moved_force(block, x, s, j, by[k], g);
      for (int i = 0; i < n; i++) H[i + n * j] += weight[k] / (12 * STEP) * g[i];
    }
}

void xs_rows_stiffness(const xs_row_block *block, xs_pose *x, const double *s, double *H) {
  if (block->kind->stiffness)
    block->kind->stiffness(block, x, s, H);
  else
    xs_rows_stiffness_difference(block, x, s, H);
}
