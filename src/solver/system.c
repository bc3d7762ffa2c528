/* Moving the nodes of a substep (system.h). */
#include "solver/system.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"

/* Displacements below this part of what the substep has moved are round-off. */
#define ROUND_OFF 1e-12
/* Rotations come from unit quaternions: their round-off does not shrink with them. rad. */
#define TURN_ROUND_OFF 1e-15

void xs_system_displace(xs_system *system, xs_pose *x, int n, const int *node, int from_tilde) {
  for (int k = 0; k < n; k++) {
    int i = node[k];
    const xs_inertia *inertia = &system->world->inertia[i];
    const double *g = system->momentum + 6 * i;
    xs_vec3 dp = xs_vec3_scale(inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
    xs_vec3 theta = xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]});
    xs_vec3 step = from_tilde ? xs_vec3_sub(dp, system->dp[i]) : dp;
    x[i].p = xs_vec3_add(x[i].p, step);
    system->dp[i] = from_tilde ? dp : xs_vec3_add(system->dp[i], dp);
    x[i].q = xs_quat_mul(from_tilde ? system->q_tilde[i] : x[i].q, xs_so3_exp(theta));
    x[i].R = xs_so3_matrix(x[i].q);
  }
}

void xs_system_primal_displacement(xs_system *system, const xs_pose *x) {
  for (int i = 0; i < system->world->n_nodes; i++) {
    const xs_inertia *inertia = &system->world->inertia[i];
    double *d = system->momentum + 6 * i;
    if (inertia->inv_mass == 0) {
      memset(d, 0, 6 * sizeof *d);
      continue;
    }
    xs_vec3 dp = system->dp[i], dr = xs_so3_minus(x[i].q, system->q_tilde[i]);
    d[0] = dp.x - inertia->inv_mass * d[0];
    d[1] = dp.y - inertia->inv_mass * d[1];
    d[2] = dp.z - inertia->inv_mass * d[2];
    const xs_vec3 couple = system->couple[i];
    d[3] = dr.x - inertia->inv_moment.x * (d[3] + couple.x);
    d[4] = dr.y - inertia->inv_moment.y * (d[4] + couple.y);
    d[5] = dr.z - inertia->inv_moment.z * (d[5] + couple.z);
  }
}

void xs_system_rate_displacement(const xs_system *system, xs_part *part, double growth,
                                 double floor2) {
  double size = 0, moved = 0, turned = 0, couples = 0;
  for (int k = 0; k < part->n; k++) {
    const int i = part->node[k];
    const xs_inertia *inertia = &system->world->inertia[i];
    const double *d = system->momentum + 6 * i;
    size += inertia->mass * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) +
            inertia->moment.x * d[3] * d[3] + inertia->moment.y * d[4] * d[4] +
            inertia->moment.z * d[5] * d[5];
    moved += inertia->mass * xs_vec3_norm2(system->dp[i]);
    turned += inertia->moment.x + inertia->moment.y + inertia->moment.z;
    couples += xs_vec3_norm2(system->couple[i]);
  }
  /* Nothing to tell at x~, and nothing that counts among round-off. */
  floor2 = fmax(floor2, ROUND_OFF * ROUND_OFF * moved + TURN_ROUND_OFF * TURN_ROUND_OFF * turned);
  if (moved == 0 || size <= floor2 || couples > 0) return;
  if (part->drift >= 0 && size > growth * part->drift) part->plain = 1;
  if (growth == 1 || part->drift < 0) part->drift = size;
}

double xs_system_elastic_energy(const xs_system *s, const xs_pose *x) {
  double energy = 0;
  for (int b = 0; b < s->n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    if (!block->alpha) continue;
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);
    for (int r = 0; r < block->n_rows; r++)
      if (block->alpha[r] > 0) energy += 0.5 * C[r] * C[r] / block->alpha[r];
  }
  return energy;
}
