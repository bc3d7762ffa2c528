/* Building what a run works on (setup.h), step by step; the first failure ends it. */
#include "app/setup.h"

#include <math.h>

#include "base/printable.h"
#include "constraint/joint.h"
#include "constraint/rod.h"
#include "io/metric_plan.h"
#include "io/result_survey.h"

/* Of a stored scene that was refused: whether its file is damaged, in which case that is all there
 * is to say; else the command line or this program's rules are the reason, and the report stays. */
static xs_status explain_refusal(const xs_setup *setup, const xs_scene_source *stored,
                                 xs_status refused, xs_arena *arena, xs_report *report) {
  xs_report *own = XS_ARENA_NEW(arena, xs_report, 1);
  if (own == NULL) return refused;
  const xs_status status = xs_scene_check_stored(stored, setup->stored_in, arena, own);
  if (status == XS_OK) return refused;
  *report = *own;
  return status;
}

/* The scene of a result; --until stands for an override of time.duration. */
static xs_status load_stored(const xs_options *options, xs_arena *arena, xs_setup *setup,
                             xs_report *report) {
  xs_scene_source stored;
  xs_status status = XS_OK;
  setup->stored_in = options->input;
  if (options->command == XS_COMMAND_RESUME)
    status = xs_result_survey_resumed(options->input, arena, &setup->stored_in, report);
  if (status == XS_OK) status = xs_result_read_source(setup->stored_in, arena, &stored, report);
  if (status != XS_OK) return status;

  char until[64];
  const char *until_set = until;
  snprintf(until, sizeof until, "time.duration=%.17g", options->until);
  const int has_until = !isnan(options->until);
  status = xs_scene_load_text(stored.text, stored.length, stored.file, stored.overrides,
                              has_until ? 1 : options->n_set, has_until ? &until_set : options->set,
                              arena, &setup->world, &setup->source, report);
  return status == XS_USAGE || status == XS_SCENE
             ? explain_refusal(setup, &stored, status, arena, report)
             : status;
}

static xs_status load(const xs_options *options, xs_arena *arena, xs_setup *setup,
                      xs_report *report) {
  if (options->input != NULL) return load_stored(options, arena, setup, report);
  return xs_scene_load(options->scene, options->n_set, options->set, arena, &setup->world,
                       &setup->source, report);
}

/* A check that could not be evaluated after hours of running is found before them. */
static xs_status validate_checks(const xs_setup *setup, const xs_metric_catalog *catalog,
                                 xs_report *report) {
  xs_status first = XS_OK;
  for (int i = 0; i < setup->world->n_checks; i++) {
    const xs_check *check = &setup->world->checks[i];
    char path[64];
    snprintf(path, sizeof path, "checks[%d].metric", i);
    const xs_place place = {.file = setup->source.file, .path = path};
    xs_status status = xs_metric_plan_check(setup->world, catalog, check, &place, report);
    if (first == XS_OK) first = status;
  }
  return first;
}

/* The same for what a sweep wants to know of the result. */
static xs_status validate_metrics(const xs_options *options, const xs_setup *setup,
                                  const xs_metric_catalog *catalog, xs_report *report) {
  xs_status first = XS_OK;
  for (int i = 0; i < options->n_metrics; i++) {
    char path[64];
    snprintf(path, sizeof path, "metrics[%d]", i);
    const xs_check whole = {.metric = options->metrics[i],
                            .from = -INFINITY,
                            .to = INFINITY,
                            .below = INFINITY,
                            .above = NAN,
                            .equals = NAN,
                            .within = NAN};
    const xs_place place = {.file = options->sweep, .path = path};
    xs_status status = xs_metric_plan_check(setup->world, catalog, &whole, &place, report);
    if (first == XS_OK) first = status;
  }
  return first;
}

static xs_status validate(const xs_options *options, const xs_setup *setup, xs_report *report) {
  if (setup->world->n_checks == 0 && options->n_metrics == 0) return XS_OK;
  xs_arena arena = {0};
  xs_metric_catalog catalog;
  xs_status status = xs_metric_catalog_of_world(setup->world, &arena, &catalog, report);
  if (status == XS_OK) status = validate_checks(setup, &catalog, report);
  if (status == XS_OK) status = validate_metrics(options, setup, &catalog, report);
  xs_arena_free(&arena);
  return status;
}

xs_status xs_setup_create(const xs_options *options, xs_arena *arena, xs_setup *setup,
                          xs_report *report) {
  *setup = (xs_setup){0};
  xs_status status = load(options, arena, setup, report);
  if (status == XS_OK) status = validate(options, setup, report);
  if (status != XS_OK) return status;

  /* The scene's table of methods and the solver's are two lists: hold them together. */
  const xs_world *world = setup->world;
  setup->method = xs_method_of(&world->solver);
  if (setup->method == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "the method \"%s\" is not in this program",
                           world->solver.method);

  /* State at t = 0, the method's work space, and what is observed. */
  status = xs_state_create(world, arena, &setup->state, report);
  if (status == XS_OK)
    status = setup->method->create(world, setup->state, arena, &setup->method_self, report);
  if (status == XS_OK) status = xs_observe_create(world, arena, &setup->observation, report);
  if (status != XS_OK) return status;

  setup->n_persist = xs_state_persist(setup->state, setup->persist);
  setup->n_persist += setup->method->persist(setup->method_self, setup->persist + setup->n_persist);
  xs_observe(world, setup->method, setup->method_self, setup->state, setup->observation);

  /* A start that is out of range is the scene's fault, not the method's. */
  return xs_observe_check(world, setup->state, setup->observation, XS_SCENE, report);
}

int xs_setup_rows(const xs_world *world) {
  int rows = 0;
  for (int j = 0; j < world->n_joints; j++) rows += xs_joint_kind(world->joints[j].type)->n_rows;
  for (int r = 0; r < world->n_rods; r++)
    rows += 6 * world->rods[r].n_elements * world->rods[r].n_gauss;
  return rows;
}

const char *xs_setup_world_text(const xs_world *world, char *buffer, size_t size) {
  int n = snprintf(buffer, size, "%d bodies, %d joints", world->n_bodies, world->n_joints);
  int n_elements = 0, n_nodes = 0;
  for (int r = 0; r < world->n_rods; r++) {
    n_elements += world->rods[r].n_elements;
    n_nodes += world->rods[r].n_nodes;
  }
  if (world->n_rods > 0)
    n += snprintf(buffer + n, size - (size_t)n, ", %d rods (%d elements, %d nodes)", world->n_rods,
                  n_elements, n_nodes);
  (void)snprintf(buffer + n, size - (size_t)n, ", %d rows", xs_setup_rows(world));
  return buffer;
}

static const char *rod_solve_name(xs_rod_solve solve) {
  return solve == XS_ROD_SOLVE_BANDED ? "banded" : "individual";
}

const char *xs_setup_solve_name(xs_solve solve) {
  static const char *const names[] = {[XS_SOLVE_INDIVIDUAL] = "individual",
                                      [XS_SOLVE_BLOCK] = "block",
                                      [XS_SOLVE_GLOBAL] = "global"};
  return names[solve];
}

const char *xs_setup_constraints_name(xs_constraints constraints) {
  static const char *const names[] = {[XS_CONSTRAINTS_VECTOR] = "vector",
                                      [XS_CONSTRAINTS_SCALAR] = "scalar",
                                      [XS_CONSTRAINTS_SCALAR_MUELLER] = "scalar-mueller"};
  return names[constraints];
}

const char *xs_setup_update_name(xs_update update) {
  static const char *const names[] = {
      [XS_UPDATE_XPBD] = "xpbd", [XS_UPDATE_CORRECTED] = "corrected"};
  return names[update];
}

const char *xs_setup_gyroscopic_name(xs_gyroscopic gyroscopic) {
  static const char *const names[] = {[XS_GYROSCOPIC_MIDPOINT] = "midpoint",
                                      [XS_GYROSCOPIC_EXPLICIT] = "explicit",
                                      [XS_GYROSCOPIC_IMPLICIT] = "implicit"};
  return names[gyroscopic];
}

const char *xs_setup_solver_text(const xs_world *world, char *buffer, size_t size) {
  const xs_solver *solver = &world->solver;
  int n =
      snprintf(buffer, size, "constraints %s, solve %s, update %s, gyroscopic %s, iterations %d",
               xs_setup_constraints_name(solver->constraints), xs_setup_solve_name(solver->solve),
               xs_setup_update_name(solver->update), xs_setup_gyroscopic_name(solver->gyroscopic),
               solver->iterations);
  if (world->n_rods > 0 && n > 0 && (size_t)n < size)
    n +=
        snprintf(buffer + n, size - (size_t)n, ", rod_solve %s", rod_solve_name(solver->rod_solve));
  if (solver->tolerance > 0 && n > 0 && (size_t)n < size)
    (void)snprintf(buffer + n, size - (size_t)n, " at most, tolerance %.6g", solver->tolerance);
  return buffer;
}

void xs_setup_describe(const xs_setup *setup, FILE *stream) {
  const xs_world *world = setup->world;
  char solver[256], parts[XS_SETUP_TEXT], name[XS_PRINTABLE_NAME], path[XS_PRINTABLE_PATH];
  int free_nodes = 0;
  for (int i = 0; i < world->n_nodes; i++) free_nodes += world->inertia[i].inv_mass > 0;

  /* What the scene became. */
  fprintf(stream, "xsim: scene %s (%s), %zu bytes\n",
          xs_printable_text(world->name, name, sizeof name),
          xs_printable_text(setup->source.file, path, sizeof path), setup->source.length);
  fprintf(stream, "xsim: %d nodes with the ground, %d of them free to move; %s\n", world->n_nodes,
          free_nodes, xs_setup_world_text(world, parts, sizeof parts));
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    fprintf(stream,
            "xsim: rod %s: %d elements of %d nodes, %.6g m, %d points each; K = (%.6g, %.6g, %.6g) "
            "N, (%.6g, %.6g, %.6g) N m^2; tau = %.6g s\n",
            rod->name, rod->n_elements, xs_rod_element_nodes(rod->discretization),
            rod->element_length, rod->n_gauss, rod->K_shear.x, rod->K_shear.y, rod->K_shear.z,
            rod->K_bend.x, rod->K_bend.y, rod->K_bend.z, rod->damping_time);
  }
  fprintf(stream, "xsim: method %s, %s\n", setup->method->name,
          xs_setup_solver_text(world, solver, sizeof solver));

  /* How it will be computed. */
  const char *variant = xs_method_variant();
  const int has_avx2 = __builtin_cpu_supports("avx2") != 0;
  fprintf(stream, "xsim: %s code, as the processor has %sAVX2%s\n", variant, has_avx2 ? "" : "no ",
          has_avx2 && variant[0] == 'b' ? " but XSIM_ISA asks for the baseline" : "");
  fprintf(stream, "xsim: %lld steps of %.9g s in %d substep%s of %.9g s\n", xs_world_steps(world),
          world->time.step, world->time.substeps, world->time.substeps == 1 ? "" : "s",
          world->time.step / world->time.substeps);
  fprintf(stream, "xsim: a record every %d steps, a checkpoint every %.9g s\n", world->output.every,
          world->output.checkpoint);
  for (int i = 0; i < setup->n_persist; i++)
    fprintf(stream, "xsim: checkpoint array %s: %d x %d, %s\n", setup->persist[i].name,
            setup->persist[i].items, setup->persist[i].components, setup->persist[i].unit);
}
