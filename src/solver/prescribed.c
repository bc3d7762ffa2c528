/* Pose: position + translation(t), Exp(rotation(t)) orientation, in the world's axes, about
 * the origin of the scene's body frame; the centre of mass is carried along. The start of
 * the body (p0, q0) is that of the motion's frame before the motion. */
#include "solver/prescribed.h"

#include "math/so3.h"

/* Rotation vector of a motion and its rate at time t. */
static xs_vec3 rotation_rate(const xs_motion *motion, double t, xs_vec3 *vector) {
  if (motion->angle) {
    *vector = xs_vec3_scale(xs_timefn_value(motion->angle, t), motion->axis);
    return xs_vec3_scale(xs_timefn_rate(motion->angle, t), motion->axis);
  }
  const xs_timefn3 *f = &motion->vector;
  *vector = (xs_vec3){xs_timefn_value(f->x, t), xs_timefn_value(f->y, t), xs_timefn_value(f->z, t)};
  return (xs_vec3){xs_timefn_rate(f->x, t), xs_timefn_rate(f->y, t), xs_timefn_rate(f->z, t)};
}

static void place(const xs_body *body, double t, xs_state *state) {
  xs_vec3 translation, vector;
  xs_quat rotation;
  xs_motion_at(body->motion, t, &translation, &rotation);
  xs_pose *x = &state->x[body->node];

  /* Origin of the body frame and its orientation before the motion. */
  const xs_quat q_body = xs_quat_mul(body->q0, xs_quat_conj(body->q_principal));
  const xs_mat3 R_body = xs_so3_matrix(q_body), turn = xs_so3_matrix(rotation);
  const xs_vec3 arm0 = xs_mat3_mul_vec(&R_body, body->center_of_mass);
  const xs_vec3 arm = xs_mat3_mul_vec(&turn, arm0);
  xs_quat q = xs_so3_normalize(xs_quat_mul(rotation, body->q0));

  /* The quaternion's sign goes on from the last pose. */
  if (q.w * x->q.w + q.x * x->q.x + q.y * x->q.y + q.z * x->q.z < 0)
    q = (xs_quat){-q.w, -q.x, -q.y, -q.z};
  x->p = xs_vec3_add(xs_vec3_sub(body->p0, arm0), xs_vec3_add(translation, arm));
  x->q = q;
  x->R = xs_so3_matrix(q);

  /* Angular velocity in the world: Exp(a)^ rotates by Gamma(-a) a' on the left. */
  const xs_timefn3 *f = &body->motion->translation;
  const xs_vec3 rate = rotation_rate(body->motion, t, &vector);
  const xs_mat3 left = xs_so3_gamma(xs_vec3_neg(vector));
  const xs_vec3 omega = xs_mat3_mul_vec(&left, rate);
  const xs_vec3 v = {xs_timefn_rate(f->x, t), xs_timefn_rate(f->y, t), xs_timefn_rate(f->z, t)};
  state->v[body->node] = xs_vec3_add(v, xs_vec3_cross(omega, arm));
  state->omega[body->node] = xs_mat3_tmul_vec(&x->R, omega);
}

void xs_prescribed_place(const xs_world *world, double t, xs_state *state) {
  for (int b = 0; b < world->n_bodies; b++)
    if (world->bodies[b].motion) place(&world->bodies[b], t, state);
}
