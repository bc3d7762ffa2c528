/* --check (check_scene.h).
 *
 * The gap of a joint is how far it has come apart (xs_joint_gap), and the norm of its rows
 * that are angles. */
#include "app/check_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/setup.h"
#include "app/summary.h"
#include "app/target.h"
#include "base/printable.h"
#include "constraint/joint.h"
#include "io/result_survey.h"
#include "solver/contacts.h"

enum { GAPS_SHOWN = 10 };

typedef struct joint_gap {
  int joint;
  double translation, rotation; /* m, rad */
} joint_gap;

static joint_gap measure_gap(const xs_setup *setup, int joint) {
  const xs_joint *description = &setup->world->joints[joint];
  const xs_row_kind *kind = xs_joint_kind(description->type);
  xs_joint_geometry geometry;
  xs_joint_geometry_init(description, NULL, &geometry);
  const xs_row_block block = {.data = &geometry, .n_rows = kind->n_rows, .n_nodes = 2};
  double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
  kind->evaluate(&block, setup->state->x, 0, kind->n_rows, C, G);

  double rotation2 = 0;
  for (int r = xs_joint_translation_rows(description->type); r < kind->n_rows; r++)
    rotation2 += C[r] * C[r];
  return (joint_gap){.joint = joint,
                     .translation = xs_joint_gap(description->type, &geometry, setup->state->x),
                     .rotation = sqrt(rotation2)};
}

/* Metres and radians cannot be compared; scaled by the scene's size they nearly can. */
static int larger_gap_first(const void *a_, const void *b_) {
  const joint_gap *a = a_, *b = b_;
  const double gap_a = a->translation + a->rotation, gap_b = b->translation + b->rotation;
  return gap_a > gap_b ? -1 : gap_a < gap_b ? 1 : a->joint - b->joint;
}

static xs_status print_gaps(const xs_setup *setup, xs_arena *arena, xs_report *report) {
  const xs_world *world = setup->world;
  if (world->n_joints == 0) return XS_OK;
  joint_gap *gaps = XS_ARENA_NEW(arena, joint_gap, world->n_joints);
  if (gaps == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the joints' gaps");
  for (int j = 0; j < world->n_joints; j++) gaps[j] = measure_gap(setup, j);
  qsort(gaps, (size_t)world->n_joints, sizeof *gaps, larger_gap_first);

  const int shown = world->n_joints < GAPS_SHOWN ? world->n_joints : GAPS_SHOWN;
  char name[XS_PRINTABLE_NAME];
  printf("\ninitial gaps, largest first (%d of %d joints)\n", shown, world->n_joints);
  printf("%12s  %12s  %s\n", "gap (m)", "turn (rad)", "joint");
  for (int i = 0; i < shown; i++)
    printf("%12.3g  %12.3g  %s\n", gaps[i].translation, gaps[i].rotation,
           xs_printable_text(world->joints[gaps[i].joint].name, name, sizeof name));
  return XS_OK;
}

/* Records, and what stands once in a file: scene, parameters, two checkpoints, and the
 * descriptions of the datasets. */
static double file_bytes(const xs_setup *setup, long long records) {
  const double descriptions = 64e3;
  double checkpoint = 0;
  for (int i = 0; i < setup->n_persist; i++)
    checkpoint += (double)sizeof(double) * setup->persist[i].items * setup->persist[i].components;
  return (double)records * xs_result_survey_record_bytes(setup->world) + 2 * checkpoint +
         (double)setup->source.length + (double)strlen(setup->source.resolved) + descriptions;
}

static void print_plan(const xs_setup *setup, const char *output, double memory) {
  const xs_world *world = setup->world;
  const long long steps = xs_world_steps(world), records = steps / world->output.every + 1;
  char bytes[32], solver[256], parts[XS_SETUP_TEXT];
  char name[XS_PRINTABLE_NAME], path[XS_PRINTABLE_PATH];
  printf("scene       %s (%s)\n", xs_printable_text(world->name, name, sizeof name),
         xs_printable_text(setup->source.file, path, sizeof path));
  printf("world       %s, %d loads, %d checks\n", xs_setup_world_text(world, parts, sizeof parts),
         world->n_loads, world->n_checks);
  printf("time        %.9g s: %lld steps of %.9g s, substeps: %d\n",
         (double)steps * world->time.step, steps, world->time.step, world->time.substeps);
  printf("records     %lld, every %d steps\n", records, world->output.every);
  printf("method      %s (%s code), %s\n", setup->method->name, xs_method_variant(),
         xs_setup_solver_text(world, solver, sizeof solver));
  printf("memory      about %s\n", xs_summary_bytes(memory, bytes, sizeof bytes));
  if (world->contact.enabled)
    printf("contacts    up to about %s of memory more for each\n",
           xs_summary_bytes(xs_contacts_bytes(), bytes, sizeof bytes));
  printf("result      %s, about %s%s\n", xs_printable_text(output, path, sizeof path),
         xs_summary_bytes(file_bytes(setup, records), bytes, sizeof bytes),
         world->output.compression > 0 ? " before compression" : "");
  printf("residual    |C| = %.3g at t = 0\n", setup->observation->residual.constraint);
}

/* Bytes of the program and its libraries that are in memory: what it has mapped from files. 0 where
 * the system does not tell. */
static double program_bytes(void) {
  char text[128] = "", *end = text;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fgets(text, sizeof text, file) == NULL) text[0] = '\0';
  (void)fclose(file);
  long pages = 0; /* in all, resident, resident and shared: the third is asked for */
  for (int i = 0; i < 3; i++) pages = strtol(end, &end, 10);
  return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

xs_status xs_check_scene_command(const xs_options *options, xs_arena *arena, xs_report *report) {
  xs_setup setup;
  xs_status status = xs_setup_create(options, arena, &setup, report);
  if (status == XS_OK) status = xs_target_check(options, arena, report);
  double memory = 0;
  if (status == XS_OK) status = xs_result_survey_memory(setup.world, &memory, report);
  if (status != XS_OK) return status;

  if (options->verbose) xs_setup_describe(&setup, stderr);
  if (options->quiet) return XS_OK;
  print_plan(&setup, options->output, program_bytes() + (double)arena->allocated + memory);
  return print_gaps(&setup, arena, report);
}
