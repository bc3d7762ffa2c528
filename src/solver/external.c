/* Loads: a force at the node and a couple, in world axes or following the body. */
#include "solver/external.h"

#include "math/so3.h"

static xs_vec3 value(const xs_timefn3 *f, double t) {
  return (xs_vec3){xs_timefn_value(f->x, t), xs_timefn_value(f->y, t), xs_timefn_value(f->z, t)};
}

void xs_external_loads(const xs_world *world, const xs_pose *x, double t, xs_external *external) {
  /* Several loads may share a node: clear first, then add. */
  for (int i = 0; i < world->n_loads; i++) {
    int node = world->loads[i].node;
    external->force[node] = external->torque[node] = (xs_vec3){0, 0, 0};
  }
  for (int i = 0; i < world->n_loads; i++) {
    const xs_load *load = &world->loads[i];
    const xs_mat3 *R = &x[load->node].R;
    xs_vec3 force = value(&load->force, t), torque = value(&load->torque, t);
    if (load->follower) {
      xs_mat3 P = xs_so3_matrix(load->q_principal); /* node frame -> scene's body frame */
      force = xs_mat3_mul_vec(R, xs_mat3_tmul_vec(&P, force));
      torque = xs_mat3_tmul_vec(&P, torque);
    } else {
      torque = xs_mat3_tmul_vec(R, torque);
    }
    external->force[load->node] = xs_vec3_add(external->force[load->node], force);
    external->torque[load->node] = xs_vec3_add(external->torque[load->node], torque);
  }
}

void xs_external_stiffness(const xs_load *load, const xs_pose *x, double t, xs_mat3 *force,
                           xs_mat3 *torque) {
  const xs_mat3 *R = &x[load->node].R;
  *force = *torque = (xs_mat3){{{0}}};
  if (load->follower) {
    /* d(R f) = -R hat(f) dtheta */
    const xs_mat3 P = xs_so3_matrix(load->q_principal);
    const xs_mat3 cross = xs_mat3_hat(xs_mat3_tmul_vec(&P, value(&load->force, t)));
    *force = xs_mat3_scale(-1, xs_mat3_mul(*R, cross));
  } else {
    /* d(R^T tau) = hat(R^T tau) dtheta */
    *torque = xs_mat3_hat(xs_mat3_tmul_vec(R, value(&load->torque, t)));
  }
}
