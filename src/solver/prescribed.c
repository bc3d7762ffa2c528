/* Pose: position + translation(t), Exp(rotation(t)) orientation, in the world's axes, about
 * the origin of the scene's body frame; the centre of mass is carried along. The start of
 * the body (p0, q0) is that of the motion's frame before the motion. */
#include "solver/prescribed.h"

#include "math/so3.h"

static void place(const xs_body *body, double t, xs_state *state) {
  xs_vec3 translation;
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

  xs_vec3 v, omega;
  xs_motion_rate(body->motion, t, &v, &omega);
  state->v[body->node] = xs_vec3_add(v, xs_vec3_cross(omega, arm));
  state->omega[body->node] = xs_mat3_tmul_vec(&x->R, omega);
}

void xs_prescribed_place(const xs_world *world, double t, xs_state *state) {
  for (int b = 0; b < world->n_bodies; b++)
    if (world->bodies[b].motion) place(&world->bodies[b], t, state);
}
