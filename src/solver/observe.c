/* From node frames and velocities to what the result file reports; energies and momenta.
 * Bodies that cannot move are reported with their poses and count in no sum. */
#include "solver/observe.h"

#include "constraint/joint.h"
#include "math/so3.h"

xs_status xs_observe_create(const xs_world *world, xs_arena *arena, xs_observation **result,
                            xs_report *report) {
  xs_observation *o = XS_ARENA_NEW(arena, xs_observation, 1);
  if (!o) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  o->n_bodies = world->n_bodies;
  o->n_joints = world->n_joints;
  o->position = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->orientation = XS_ARENA_NEW(arena, xs_quat, world->n_bodies);
  o->linear_velocity = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->angular_velocity = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->joint_force = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->joint_torque = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->joint_coordinate = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->residual.joint = XS_ARENA_NEW(arena, double, world->n_joints);
  o->reaction = XS_ARENA_NEW(arena, xs_reaction, world->n_joints);
  o->geometry = XS_ARENA_NEW(arena, xs_joint_geometry, world->n_joints);
  if (!o->position || !o->orientation || !o->linear_velocity || !o->angular_velocity ||
      !o->joint_force || !o->joint_torque || !o->joint_coordinate || !o->residual.joint ||
      !o->reaction || !o->geometry)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  for (int j = 0; j < world->n_joints; j++)
    o->geometry[j] = xs_joint_geometry_of(&world->joints[j]);
  *result = o;
  return XS_OK;
}

static void observe_bodies(const xs_world *world, const xs_state *state, xs_observation *o) {
  for (int b = 0; b < world->n_bodies; b++) {
    const xs_body *body = &world->bodies[b];
    const xs_pose *x = &state->x[body->node];
    xs_mat3 P = xs_so3_matrix(body->q_principal);
    o->position[b] = x->p;
    o->orientation[b] = xs_quat_mul(x->q, xs_quat_conj(body->q_principal));
    o->linear_velocity[b] = state->v[body->node];
    o->angular_velocity[b] = xs_mat3_mul_vec(&P, state->omega[body->node]);
  }
}

static void observe_sums(const xs_world *world, const xs_state *state, xs_observation *o) {
  o->kinetic = o->gravity = 0;
  o->linear_momentum = o->angular_momentum = (xs_vec3){0, 0, 0};
  for (int i = 1; i < world->n_nodes; i++) {
    const xs_inertia *inertia = &world->inertia[i];
    if (inertia->inv_mass == 0) continue;
    const xs_pose *x = &state->x[i];
    xs_vec3 momentum = xs_vec3_scale(inertia->mass, state->v[i]);
    xs_vec3 spin = xs_vec3_mul(inertia->moment, state->omega[i]); /* node frame */
    o->kinetic += 0.5 * (xs_vec3_dot(momentum, state->v[i]) + xs_vec3_dot(spin, state->omega[i]));
    o->gravity -= inertia->mass * xs_vec3_dot(world->gravity, x->p);
    o->linear_momentum = xs_vec3_add(o->linear_momentum, momentum);
    o->angular_momentum =
        xs_vec3_add(o->angular_momentum,
                    xs_vec3_add(xs_vec3_cross(x->p, momentum), xs_mat3_mul_vec(&x->R, spin)));
  }
}

void xs_observe(const xs_world *world, const xs_method *method, void *method_self,
                const xs_state *state, xs_observation *o) {
  observe_bodies(world, state, o);
  observe_sums(world, state, o);
  o->elastic = method->elastic_energy(method_self, state);
  o->total = o->kinetic + o->gravity + o->elastic;

  method->residual(method_self, state, &o->residual, o->reaction);
  for (int j = 0; j < world->n_joints; j++) {
    o->joint_force[j] = o->reaction[j].force;
    o->joint_torque[j] = o->reaction[j].torque;
    o->joint_coordinate[j] =
        xs_joint_coordinate(world->joints[j].type, &o->geometry[j], state->x, &state->turn[j]);
  }
}
