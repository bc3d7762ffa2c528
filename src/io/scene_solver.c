/* How a scene is solved: its words, and what does not go together, or not with what there is to be
 * solved. */
#include <math.h>

#include "constraint/joint.h"
#include "io/scene_build.h"

/* Of a key that is there only where it makes sense (scene_table_cases.c). */
static int word_or_first(const xs_json *object, const char *key, const char *const *words) {
  return xs_json_member(object, key) != NULL ? xs_scene_build_word(object, key, words) : 0;
}

void xs_scene_build_solver(xs_build *build) {
  static const char *const solves[] = {"individual", "block", "global", NULL};
  static const char *const forms[] = {"vector", "scalar", "scalar-mueller", NULL};
  static const char *const rod_solves[] = {"banded", "individual", NULL};
  static const char *const updates[] = {"xpbd", "corrected", NULL};
  static const char *const modes[] = {"dynamic", "static", NULL};
  static const char *const integrators[] = {"euler", "rattle", "genalpha", NULL};
  static const char *const band_solvers[] = {"lapacke", "native", NULL};
  static const char *const gyroscopics[] = {"midpoint", "explicit", "implicit", NULL};
  _Static_assert(XS_SOLVE_INDIVIDUAL == 0 && XS_SOLVE_GLOBAL == 2, "order of the words");
  _Static_assert(XS_CONSTRAINTS_VECTOR == 0 && XS_CONSTRAINTS_SCALAR_MUELLER == 2,
                 "order of the words");
  _Static_assert(XS_ROD_SOLVE_BANDED == 0 && XS_ROD_SOLVE_INDIVIDUAL == 1, "order of the words");
  _Static_assert(XS_UPDATE_XPBD == 0 && XS_UPDATE_CORRECTED == 1, "order of the words");
  _Static_assert(XS_MODE_DYNAMIC == 0 && XS_MODE_STATIC == 1, "order of the words");
  _Static_assert(XS_INTEGRATOR_EULER == 0 && XS_INTEGRATOR_GENALPHA == 2, "order of the words");
  _Static_assert(XS_BAND_SOLVER_LAPACKE == 0 && XS_BAND_SOLVER_NATIVE == 1, "order of the words");
  _Static_assert(XS_GYROSCOPIC_MIDPOINT == 0 && XS_GYROSCOPIC_IMPLICIT == 2, "order of the words");
  const xs_json *value = xs_json_member(build->tree, "solver");
  if (value == NULL || value->type == XS_JSON_NULL) return;
  build->world->solver = (xs_solver){
      .method = xs_scene_build_string(value, "method"),
      .mode = (xs_mode)xs_scene_build_word(value, "mode", modes),
      .integrator = (xs_integrator)xs_scene_build_word(value, "integrator", integrators),
      .band_solver = (xs_band_solver)xs_scene_build_word(value, "band_solver", band_solvers),
      .solve = (xs_solve)xs_scene_build_word(value, "solve", solves),
      .constraints = (xs_constraints)xs_scene_build_word(value, "constraints", forms),
      .rod_solve = (xs_rod_solve)xs_scene_build_word(value, "rod_solve", rod_solves),
      .update = (xs_update)word_or_first(value, "update", updates),
      .iterations = xs_scene_build_integer(value, "iterations"),
      .tolerance = xs_scene_build_number(value, "tolerance"),
      .gyroscopic = (xs_gyroscopic)word_or_first(value, "gyroscopic", gyroscopics),
      .spectral_radius = xs_json_member(value, "spectral_radius") != NULL
                             ? xs_scene_build_number(value, "spectral_radius")
                             : 0,
  };
}

/* What the ways to solve rods do not go together with. */
static void check_rod_solve(xs_build *build, const xs_json *value) {
  const xs_world *world = build->world;
  const xs_json *rod_solve = xs_json_member(value, "rod_solve");
  if (world->n_rods > 0 && world->solver.constraints != XS_CONSTRAINTS_VECTOR)
    xs_scene_build_error(build, xs_json_member(value, "constraints"),
                         "constraints \"%s\" are for rigid bodies only: give constraints vector "
                         "in a scene with rods",
                         xs_scene_build_string(value, "constraints"));
  if (world->solver.rod_solve == XS_ROD_SOLVE_BANDED) return;
  if (world->solver.solve == XS_SOLVE_GLOBAL)
    xs_scene_build_error(build, rod_solve,
                         "rod_solve individual does not go with solve global, which solves all "
                         "rows at once: give rod_solve banded, or solve block or individual");
  const xs_rod *rod = world->rods;
  for (const xs_json *item = xs_scene_build_list(build, "rods")->first; item != NULL;
       item = item->next, rod++)
    if (rod->damping_time > 0)
      xs_scene_build_error(build, xs_json_member(item, "damping"),
                           "damping of rods is solved with their band: give rod_solve banded, or "
                           "no damping");
}

/* What has no meaning where nothing moves. */
static void check_static(xs_build *build, const xs_json *value) {
  const xs_world *world = build->world;
  const xs_solver *solver = &world->solver;
  if (solver->integrator != XS_INTEGRATOR_EULER)
    xs_scene_build_error(build, xs_json_member(value, "integrator"),
                         "mode static has no steps in time and takes no integrator \"%s\": leave "
                         "it out, or give mode dynamic",
                         xs_scene_build_string(value, "integrator"));
  if (solver->constraints != XS_CONSTRAINTS_VECTOR)
    xs_scene_build_error(build, xs_json_member(value, "constraints"),
                         "mode static needs constraints vector: found \"%s\", whose multipliers "
                         "are no forces",
                         xs_scene_build_string(value, "constraints"));
  if (!(solver->tolerance > 0))
    xs_scene_build_error(build, xs_json_member(value, "tolerance"),
                         "mode static needs a tolerance above 0 to know an equilibrium by");
  const xs_joint *joint = world->joints;
  for (const xs_json *item = xs_scene_build_list(build, "joints")->first; item != NULL;
       item = item->next, joint++) {
    const xs_target *target = item->type != XS_JSON_NULL ? joint->target : NULL;
    for (int i = 0; target != NULL && i < target->n; i++)
      if (target->rate[i] != NULL || target->damping[i] > 0) {
        xs_scene_build_error(build, xs_json_member(item, "target"),
                             "mode static has no rates and dampers for a target: give value and "
                             "stiffness only, or mode dynamic");
        break;
      }
  }
}

/* The integrators of second order solve all joints at once, have no update to choose and no
 * gyroscopic term to treat. */
static void check_second_order(xs_build *build, const xs_json *value, const char *integrator) {
  const xs_solver *solver = &build->world->solver;
  static const char *const unused[] = {"update", "gyroscopic"};
  if (solver->constraints != XS_CONSTRAINTS_VECTOR)
    xs_scene_build_error(build, xs_json_member(value, "constraints"),
                         "integrator %s has no constraints \"%s\": give constraints vector, "
                         "or integrator euler",
                         integrator, xs_scene_build_string(value, "constraints"));
  if (solver->solve != XS_SOLVE_GLOBAL)
    xs_scene_build_error(build, xs_json_member(value, "solve"),
                         "integrator %s has no solve %s, which leaves velocities that the "
                         "joints do not allow: give solve global, or integrator euler",
                         integrator, xs_scene_build_string(value, "solve"));
  for (int i = 0; i < 2; i++)
    if (xs_json_member(value, unused[i]) != NULL)
      xs_scene_build_error(build, xs_json_member(value, unused[i]),
                           "integrator %s has no %s: leave it out, or give integrator euler",
                           integrator, unused[i]);
}

static void check_rattle(xs_build *build, const xs_json *value) {
  if (build->world->n_rods > 0)
    xs_scene_build_error(build, xs_scene_build_list(build, "rods"),
                         "integrator rattle is for rigid bodies and joints: it would have to "
                         "resolve the fastest waves of a rod; give integrator genalpha or euler");
  check_second_order(build, value, "rattle");
}

/* Whether a joint has rows that do not give at all. */
static int is_hard(const xs_joint *joint) {
  if (joint->type == XS_JOINT_DISTANCE && isnan(joint->length)) return 0;
  const int lengths = xs_joint_translation_rows(joint->type);
  if (joint->compliance == 0 && lengths > 0) return 1;
  if (joint->rotational_compliance == 0 && xs_joint_kind(joint->type)->n_rows > lengths) return 1;
  for (int i = 0; joint->target != NULL && i < joint->target->n; i++)
    if (isinf(joint->target->stiffness[i])) return 1;
  return 0;
}

static void check_genalpha(xs_build *build, const xs_json *value) {
  const xs_world *world = build->world;
  check_second_order(build, value, "genalpha");
  for (int j = 0; j < world->n_joints && world->solver.spectral_radius > 0.95; j++) {
    if (!is_hard(&world->joints[j])) continue;
    xs_scene_build_error(build, xs_json_member(value, "spectral_radius"),
                         "spectral_radius above 0.95 lets the forces of joints without compliance "
                         "(\"%s\") ring: give at most 0.95, or all joints a compliance",
                         world->joints[j].name);
    return;
  }
}

static void check_integrator(xs_build *build, const xs_json *value) {
  const xs_integrator integrator = build->world->solver.integrator;
  const xs_json *spectral_radius = xs_json_member(value, "spectral_radius");
  if (integrator == XS_INTEGRATOR_RATTLE) check_rattle(build, value);
  if (integrator == XS_INTEGRATOR_GENALPHA)
    check_genalpha(build, value);
  else if (spectral_radius != NULL)
    xs_scene_build_error(build, spectral_radius,
                         "spectral_radius belongs to integrator genalpha: give that, or leave "
                         "spectral_radius out");
}

void xs_scene_build_check_solver(xs_build *build) {
  const xs_solver *solver = &build->world->solver;
  const xs_json *value = xs_json_member(build->tree, "solver");
  if (value == NULL || value->type == XS_JSON_NULL) return;
  if (solver->mode == XS_MODE_STATIC) {
    check_static(build, value);
    return;
  }
  if (solver->tolerance > 0 && solver->iterations == 1)
    xs_scene_build_warning(build, value,
                           "a tolerance with iterations 1: the run ends where one iteration does "
                           "not reach it; give more iterations");
  check_rod_solve(build, value);
  check_integrator(build, value);
  if (solver->constraints == XS_CONSTRAINTS_VECTOR) return;

  /* Normed rows are solved one by one. Their direction turns as they are, so that G(x)^T
   * lambda is not what they did: nothing to correct by. */
  const char *form = xs_scene_build_string(value, "constraints");
  if (solver->solve == XS_SOLVE_GLOBAL)
    xs_scene_build_error(build, xs_json_member(value, "solve"),
                         "constraints \"%s\" are solved one by one: give solve individual or "
                         "block, or constraints vector with global",
                         form);
  if (solver->update == XS_UPDATE_CORRECTED)
    xs_scene_build_error(build, xs_json_member(value, "update"),
                         "constraints \"%s\" go with update xpbd only: give that, or constraints "
                         "vector with corrected",
                         form);
}
