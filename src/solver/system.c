/* Moving the nodes of a substep (system.h). */
#include "solver/system.h"

#include "math/so3.h"

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
