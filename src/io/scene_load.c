/* Loads: forces and torques on bodies and nodes of rods as functions of time.
 *
 * A torque tau turns a body of least moment I in one solver step h from rest by h^2 tau / I;
 * when that comes near a radian the step is far too large for the load, and a warning says
 * so. Nodes of rods have little inertia, so that they come near it first; there the corrected
 * update takes the torque with the multipliers and needs no warning, if the rods' islands share no
 * node with what is swept (solver/system.h). The largest torque is looked for at equal intervals of
 * the run. */
#include <math.h>

#include "io/scene_build.h"

enum { LOOKS = 256 };

static double largest(const xs_timefn3 *f, double duration) {
  double most = 0;
  for (int i = 0; i <= LOOKS; i++) {
    const double t = duration * i / LOOKS;
    const double size = xs_vec3_norm(
        xs_vec3_make(xs_timefn_value(f->x, t), xs_timefn_value(f->y, t), xs_timefn_value(f->z, t)));
    if (size > most) most = size;
  }
  return most;
}

/* Whether torques on nodes of rods are part of the solve rather than of the prediction. With
 * "individual" a joint between a rod and a body that moves is swept. */
static int solve_takes_torques(const xs_build *build) {
  const xs_world *world = build->world;
  if (world->solver.update != XS_UPDATE_CORRECTED) return 0;
  if (world->solver.solve == XS_SOLVE_GLOBAL) return 1;
  if (world->solver.rod_solve != XS_ROD_SOLVE_BANDED) return 0;
  if (world->solver.solve != XS_SOLVE_INDIVIDUAL) return 1;
  for (int j = 0; j < world->n_joints; j++) {
    const int a = world->joints[j].node1, b = world->joints[j].node2, first = 1 + world->n_bodies;
    if ((a < first) == (b < first)) continue;
    if (build->node[a < b ? a : b].moves) return 0;
  }
  return 1;
}

static void warn_of_step(xs_build *build, const xs_json *value, const xs_load *load) {
  const xs_time *time = &build->world->time;
  const xs_vec3 moment = build->world->inertia[load->node].moment;
  const double h = time->step / time->substeps;
  const double least = fmin(moment.x, fmin(moment.y, moment.z));
  const double torque = largest(&load->torque, time->duration);
  const double turn = h * h * torque / least;
  const int of_rod = load->node > build->world->n_bodies;
  if (turn < 1 || (of_rod && solve_takes_torques(build))) return;
  xs_scene_build_warning(build, value,
                         "the time step is far too large for this torque: %.3g N m turns the %s by "
                         "%.3g rad in one step of %.3g s%s",
                         torque, of_rod ? "node" : "body", turn, h,
                         of_rod ? "; solver.update corrected with solver.solve block or global "
                                  "takes it in the solve"
                                : "");
}

static void build_load(xs_build *build, const xs_json *value, xs_load *load) {
  static const char *const frames[] = {"world", "body", NULL};
  const xs_json *force = xs_json_member(value, "force"), *torque = xs_json_member(value, "torque");
  const xs_json *body = xs_json_member(value, "body");
  const int errors = build->report->n_errors;
  load->node = xs_scene_build_node_of(build, body != NULL ? body : value);
  if (load->node < 0) return;
  load->follower = xs_scene_build_word(value, "frame", frames);
  load->q_principal = build->node[load->node].in_body.q;
  if (force != NULL) load->force = xs_scene_build_timefn3(build, force);
  if (torque != NULL) load->torque = xs_scene_build_timefn3(build, torque);

  /* A load that can have no effect is a mistake. */
  if (!build->node[load->node].valid) return;
  if (body != NULL && !build->node[load->node].moves)
    xs_scene_build_error(build, body, "the body \"%s\" %s: a load has no effect on it",
                         body->string,
                         build->world->bodies[load->node - 1].fixed ? "is fixed" : "has a motion");
  else if (torque != NULL && build->report->n_errors == errors && build->world->time.step > 0)
    warn_of_step(build, torque, load);
}

void xs_scene_build_loads(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "loads")->first; item != NULL;
       item = item->next, i++)
    if (item->type != XS_JSON_NULL) build_load(build, item, &build->world->loads[i]);
}
