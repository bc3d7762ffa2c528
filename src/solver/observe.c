/* From node frames and velocities to what the result file reports; energies and momenta.
 * Bodies that cannot move are reported with their poses and count in no sum. */
#include "solver/observe.h"

#include <math.h>

#include "constraint/joint.h"
#include "constraint/rod.h"
#include "math/so3.h"

static int allocate_rods(const xs_world *world, xs_arena *arena, xs_observation *o) {
  if (!world->output.rods) return 1;
  for (int r = 0; r < world->n_rods; r++) {
    o->n_rod_nodes += world->rods[r].n_nodes;
    o->n_rod_points += world->rods[r].n_elements * world->rods[r].n_gauss;
  }
  o->rod_position = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_nodes);
  o->rod_orientation = XS_ARENA_NEW(arena, xs_quat, o->n_rod_nodes);
  o->rod_linear_velocity = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_nodes);
  o->rod_angular_velocity = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_nodes);
  o->rod_strain_shear = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_points);
  o->rod_strain_bend = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_points);
  o->rod_force = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_points);
  o->rod_moment = XS_ARENA_NEW(arena, xs_vec3, o->n_rod_points);
  o->rod_energy = XS_ARENA_NEW(arena, double, 4 * (size_t)world->n_rods);
  return o->rod_position && o->rod_orientation && o->rod_linear_velocity &&
         o->rod_angular_velocity && o->rod_strain_shear && o->rod_strain_bend && o->rod_force &&
         o->rod_moment && o->rod_energy;
}

xs_status xs_observe_create(const xs_world *world, xs_arena *arena, xs_observation **result,
                            xs_report *report) {
  xs_observation *o = XS_ARENA_NEW(arena, xs_observation, 1);
  if (!o) return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  o->n_bodies = world->n_bodies;
  o->n_joints = world->n_joints;
  o->n_rods = world->n_rods;
  o->position = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->orientation = XS_ARENA_NEW(arena, xs_quat, world->n_bodies);
  o->linear_velocity = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->angular_velocity = XS_ARENA_NEW(arena, xs_vec3, world->n_bodies);
  o->joint_force = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->joint_torque = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->joint_coordinate = XS_ARENA_NEW(arena, xs_vec3, world->n_joints);
  o->residual.joint = XS_ARENA_NEW(arena, double, world->n_joints);
  o->residual.rod = XS_ARENA_NEW(arena, double, world->n_rods);
  o->reaction = XS_ARENA_NEW(arena, xs_reaction, world->n_joints);
  o->geometry = XS_ARENA_NEW(arena, xs_joint_geometry, world->n_joints);
  if (!o->position || !o->orientation || !o->linear_velocity || !o->angular_velocity ||
      !o->joint_force || !o->joint_torque || !o->joint_coordinate || !o->residual.joint ||
      !o->residual.rod || !o->reaction || !o->geometry || !allocate_rods(world, arena, o))
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
  for (int j = 0; j < world->n_joints; j++)
    xs_joint_geometry_init(&world->joints[j], NULL, &o->geometry[j]);
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

static void observe_rods(const xs_world *world, const xs_state *state, xs_observation *o) {
  for (int i = 0; i < o->n_rod_nodes; i++) {
    const int node = 1 + world->n_bodies + i;
    o->rod_position[i] = state->x[node].p;
    o->rod_orientation[i] = state->x[node].q;
    o->rod_linear_velocity[i] = state->v[node];
    o->rod_angular_velocity[i] = state->omega[node];
  }
  for (int r = 0, first = 0; r < world->n_rods && world->output.rods; r++) {
    const xs_rod *rod = &world->rods[r];
    const int n = rod->n_elements * rod->n_gauss;
    xs_vec3 *shear = o->rod_strain_shear + first, *bend = o->rod_strain_bend + first;
    xs_rod_strains(rod, state->x, shear, bend);
    xs_rod_energy(rod, shear, bend, o->rod_energy + 4 * r);
    for (int g = 0; g < n; g++) {
      o->rod_force[first + g] = xs_vec3_mul(rod->K_shear, shear[g]);
      o->rod_moment[first + g] = xs_vec3_mul(rod->K_bend, bend[g]);
    }
    first += n;
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
  observe_rods(world, state, o);
  observe_sums(world, state, o);
  o->elastic = method->elastic_energy(method_self, state);
  o->total = o->kinetic + o->gravity + o->elastic;

  if (method->stability && world->output.stability)
    method->stability(method_self, state, &o->lowest_eigenvalue, &o->negative_eigenvalues);
  if (method->touching) method->touching(method_self, &o->touching);
  method->residual(method_self, state, &o->residual, o->reaction);
  const double t = xs_state_time(world, state);
  for (int j = 0; j < world->n_joints; j++) {
    const xs_joint *joint = &world->joints[j];
    if (joint->motion) xs_joint_freeze(joint, t, &o->geometry[j]);
    o->joint_force[j] = o->reaction[j].force;
    o->joint_torque[j] = o->reaction[j].torque;
    o->joint_coordinate[j] =
        xs_joint_coordinate(joint->type, &o->geometry[j], state->x, &state->turn[j]);
  }
}

/* ---- Contacts ---- */

int xs_observe_contacts(const xs_observation *o) { return o->touching.n; }

int xs_observe_contact(const xs_observation *o, const xs_pose *x, int k, xs_observed_contact *out) {
  const xs_contact *contact = &o->touching.contact[k];
  const double *J = o->touching.impulse + 3 * k;
  const xs_row_block block = xs_contact_block(contact, NULL, -1, 0);
  double G[6 * XS_ROW_NODES_MAX];
  block.kind->evaluate(&block, x, 0, 1, &out->gap, G);
  if (J[0] == 0 && !(out->gap < 0)) return 0;

  for (int s = 0; s < 2; s++) {
    const xs_contact_side *side = &contact->side[s];
    out->pair[3 * s] = side->rod != NULL;
    out->pair[3 * s + 1] = side->owner;
    out->pair[3 * s + 2] = side->part;
    out->xi[s] = side->rod ? side->xi : 0;
  }
  out->point = xs_vec3_scale(0.5, xs_vec3_add(xs_contact_surface_point(&contact->side[0], x),
                                              xs_contact_surface_point(&contact->side[1], x)));
  out->normal = contact->n;
  out->force = xs_vec3_scale(J[0] / o->touching.h, contact->n);
  out->force = xs_vec3_add_scaled(out->force, J[1] / o->touching.h, contact->t1);
  out->force = xs_vec3_add_scaled(out->force, J[2] / o->touching.h, contact->t2);
  return 1;
}

/* ---- Finite or not ---- */

static int all_finite(const double *values, int n) {
  int finite = 1;
  /* cppcheck-suppress objectIndex ; x, y, z of a vector stand behind each other */
  for (int i = 0; i < n; i++) finite &= isfinite(values[i]) != 0;
  return finite;
}

static xs_status not_finite(const xs_world *world, const xs_state *state, xs_status failure,
                            const char *what, const char *sort, const char *name,
                            xs_report *report) {
  return xs_report_error(report, failure, NULL,
                         "at t = %.9g s (step %lld): the %s%s%s%s is not finite; take smaller "
                         "masses, velocities or loads, or a smaller time.step",
                         xs_state_time(world, state), (long long)state->step, what, sort, name,
                         *sort ? "\"" : "");
}

xs_status xs_observe_check(const xs_world *world, const xs_state *state, const xs_observation *o,
                           xs_status failure, xs_report *report) {
  const xs_residual *r = &o->residual;
  const struct {
    const char *what;
    const double *values;
    int n;
  } of_all[] = {
      {"kinetic energy", &o->kinetic, 1},
      {"gravity's energy", &o->gravity, 1},
      {"elastic energy", &o->elastic, 1},
      {"total energy", &o->total, 1},
      {"linear momentum", &o->linear_momentum.x, 3},
      {"angular momentum", &o->angular_momentum.x, 3},
      {"constraint residual", &r->constraint, 1},
      {"primal residual", &r->primal, 1},
      {"relative primal residual", &r->primal_relative, 1},
  };
  for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
    if (!all_finite(of_all[i].values, of_all[i].n))
      return not_finite(world, state, failure, of_all[i].what, "", "", report);

  /* Bodies and joints by their names. */
  for (int b = 0; b < o->n_bodies; b++)
    if (!all_finite(&o->position[b].x, 3) || !all_finite(&o->linear_velocity[b].x, 3) ||
        !all_finite(&o->angular_velocity[b].x, 3))
      return not_finite(world, state, failure, "motion", " of body \"", world->bodies[b].name,
                        report);
  for (int j = 0; j < o->n_joints; j++)
    if (!all_finite(&o->joint_force[j].x, 3) || !all_finite(&o->joint_torque[j].x, 3) ||
        !all_finite(&o->joint_coordinate[j].x, 3))
      return not_finite(world, state, failure, "reaction", " of joint \"", world->joints[j].name,
                        report);
  return XS_OK;
}
