/* Messages of divergence (diverged.h). */
#include "solver/diverged.h"

#include <float.h>
#include <math.h>

/* The first joint of a node, NULL if it is free: what most likely drives it too fast. */
static const char *joint_of(const xs_world *world, int node) {
  for (int j = 0; j < world->n_joints; j++)
    if (world->joints[j].node1 == node || world->joints[j].node2 == node)
      return world->joints[j].name;
  return NULL;
}

xs_status xs_diverged_too_fast(const xs_system *system, const xs_state *state, int node,
                               double turn, double t, xs_report *report) {
  const xs_world *world = system->world;
  const char *joint = joint_of(world, node);
  if (!isfinite(turn))
    return xs_report_error(report, XS_DIVERGED, NULL,
                           "at t = %.9g s (step %lld): the angular velocity of %s \"%s\" is not "
                           "finite: its torques (gyroscopic ones included) are too large for a "
                           "substep of %.3g s; take a smaller time.step or weaker loads",
                           t, (long long)state->step + 1, xs_world_node_kind(world, node),
                           xs_world_node_name(world, node), system->h);
  return xs_report_error(report, XS_DIVERGED, NULL,
                         "at t = %.9g s (step %lld): %s \"%s\"%s%s%s turns by %.3g rad in one "
                         "substep of %.3g s, half a turn is the limit; take a smaller time.step "
                         "or more time.substeps%s",
                         t, (long long)state->step + 1, xs_world_node_kind(world, node),
                         xs_world_node_name(world, node), joint ? " (joint \"" : "",
                         joint ? joint : "", joint ? "\")" : "", turn, system->h,
                         node > world->n_bodies && world->solver.integrator == XS_INTEGRATOR_EULER
                             ? ", or with torques on a rod solver.update "
                               "corrected"
                             : "");
}

xs_status xs_diverged_look(const xs_system *s, const xs_state *state, double t, xs_report *report) {
  const xs_world *world = s->world;
  const long long step = (long long)state->step + 1;
  for (int k = 0; k < s->n_moving; k++) {
    const int i = s->moving[k];
    if (!(xs_vec3_norm2(state->v[i]) + xs_vec3_norm2(state->omega[i]) <= DBL_MAX))
      return xs_report_error(report, XS_DIVERGED, NULL,
                             "at t = %.9g s (step %lld): %s \"%s\" has left the range of finite "
                             "numbers; take a smaller time.step or weaker loads",
                             t, step, xs_world_node_kind(world, i), xs_world_node_name(world, i));
  }
  for (int j = 0; j < world->n_joints; j++) {
    const double gap = xs_joint_gap(world->joints[j].type, &s->joint[j], state->x);
    if (!(gap * gap <= s->torn2[j]))
      return xs_report_error(
          report, XS_DIVERGED, NULL,
          "at t = %.9g s (step %lld): joint \"%s\" is torn: gap %.3g m, the limit is %.3g m (%g x "
          "the scene's size or the gap at the start); take a smaller time.step, more "
          "time.substeps or more solver.iterations",
          t, step, world->joints[j].name, gap, sqrt(s->torn2[j]), XS_DIVERGED_TORN);
  }
  if (s->singular >= 0) {
    const int rod = s->singular - world->n_joints;
    return xs_report_error(report, XS_DIVERGED, NULL,
                           "at t = %.9g s (step %lld): the equations of %s \"%s\" have no "
                           "solution in finite numbers; are masses, inertias and stiffnesses "
                           "sensible?",
                           t, step, rod < 0 ? "joint" : "rod",
                           rod < 0 ? world->joints[s->singular].name : world->rods[rod].name);
  }
  return XS_OK;
}

xs_status xs_diverged_not_converged(const xs_system *system, const xs_state *state,
                                    const xs_residual *residual, double t, xs_report *report) {
  const xs_world *world = system->world;
  return xs_report_error(report, XS_DIVERGED, NULL,
                         "at t = %.9g s (step %lld): not converged in %d iterations: primal "
                         "residual %.3g (relative), constraint residual %.3g of the scene's size, "
                         "solver.tolerance asks for %.3g; take more solver.iterations or a "
                         "smaller time.step",
                         t, (long long)state->step + 1, world->solver.iterations,
                         residual->primal_relative, residual->constraint / world->size,
                         world->solver.tolerance);
}
