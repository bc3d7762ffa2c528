/* Moving the nodes of a substep (system.h). */
#include "solver/system.h"

#include <string.h>

#include "math/so3.h"

/* Displacements below this part of what the substep has moved are round-off. */
#define ROUND_OFF 1e-12

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

void xs_system_rate_displacement(xs_system *system) {
  double size = 0, moved = 0, couples = 0;
  for (int k = 0; k < system->n_moving; k++) {
    const int i = system->moving[k];
    const xs_inertia *inertia = &system->world->inertia[i];
    const double *d = system->momentum + 6 * i;
    size += inertia->mass * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) +
            inertia->moment.x * d[3] * d[3] + inertia->moment.y * d[4] * d[4] +
            inertia->moment.z * d[5] * d[5];
    moved += inertia->mass * xs_vec3_norm2(system->dp[i]);
    couples += xs_vec3_norm2(system->couple[i]);
  }
  /* Nothing to tell at x~, and nothing that counts among round-off. */
  if (moved == 0 || size <= ROUND_OFF * ROUND_OFF * moved || couples > 0) return;
  if (system->drift >= 0 && size > system->drift && !system->plain) {
    system->plain = 1;
    system->n_plain++;
  }
  system->drift = size;
}
