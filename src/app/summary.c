/* The summary of a run (summary.h): gathering and printing. Plain text without colours,
 * columns as wide as what stands in them. Failed output leaves its mark in ferror(stream),
 * which main looks at. */
#include "app/summary.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/printable.h"

static const double ROD_RESIDUAL_WARNED = 0.1; /* 1 and 1/m: strains of 10 % are large ones */

void xs_summary_begin(xs_summary *summary, double energy_start, double from) {
  *summary = (xs_summary){
      .from = from,
      .energy_start = energy_start,
      .energy_end = energy_start,
      .energy_scale = fabs(energy_start),
      .primal_relative = {.part = -1},
      .constraint = {.part = -1},
      .rod = {.part = -1},
  };
}

/* Energies relative to which a drift means something: any that moved between bodies, gravity
 * and springs. The total alone may be nearly 0 by the choice of the origin. */
static void record_energy(xs_summary *summary, const xs_observation *observation, double time) {
  summary->energy_end = observation->total;
  summary->energy_time = time;
  const double drift = fabs(observation->total - summary->energy_start);
  if (!(drift <= summary->drift)) summary->drift = drift;

  const double parts[] = {observation->kinetic, observation->gravity, observation->elastic};
  for (int i = 0; i < 3; i++) summary->energy_scale = fmax(summary->energy_scale, fabs(parts[i]));
}

/* At t = 0 nothing has been solved: a rod's residual is its strain there, however large. */
static void record_rods(xs_summary *summary, const xs_observation *observation, double time) {
  if (time <= 0) return;
  for (int i = 0; i < observation->n_rods; i++) {
    const double value = observation->residual.rod[i];
    if (value > summary->rod.value)
      summary->rod = (xs_peak){.value = value, .time = time, .part = i};
  }
}

void xs_summary_record(xs_summary *summary, const xs_observation *observation, double time) {
  const xs_residual *residual = &observation->residual;
  summary->records++;
  record_energy(summary, observation, time);
  record_rods(summary, observation, time);

  if (residual->primal_relative > summary->primal_relative.value)
    summary->primal_relative =
        (xs_peak){.value = residual->primal_relative, .time = time, .part = -1};

  if (residual->constraint > summary->constraint.value) {
    int worst = -1;
    double most = -1;
    for (int j = 0; j < observation->n_joints + observation->n_rods; j++) {
      const int rod = j - observation->n_joints;
      const double value = rod < 0 ? residual->joint[j] : residual->rod[rod];
      if (value > most) most = value, worst = j;
    }
    summary->constraint = (xs_peak){.value = residual->constraint, .time = time, .part = worst};
  }
}

const char *xs_summary_bytes(double bytes, char *buffer, size_t size) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 4) bytes /= 1000, unit++;
  snprintf(buffer, size, unit == 0 ? "%.0f %s" : "%.3g %s", bytes, units[unit]);
  return buffer;
}

const char *xs_summary_condition(const xs_check *check, char *buffer, size_t size) {
  if (check->n_reference > 0)
    snprintf(buffer, size, "reference of %d points within %.6g", check->n_reference, check->within);
  else if (!isnan(check->equals))
    snprintf(buffer, size, "equals %.6g within %.6g", check->equals, check->within);
  else if (!isnan(check->above) && !isnan(check->below))
    snprintf(buffer, size, "above %.6g and below %.6g", check->above, check->below);
  else if (!isnan(check->above))
    snprintf(buffer, size, "above %.6g", check->above);
  else
    snprintf(buffer, size, "below %.6g", check->below);

  /* The window of time, where one is given. */
  const size_t used = strlen(buffer);
  if (isfinite(check->from) && isfinite(check->to))
    snprintf(buffer + used, size - used, ", %.6g s <= t <= %.6g s", check->from, check->to);
  else if (isfinite(check->from))
    snprintf(buffer + used, size - used, ", t >= %.6g s", check->from);
  else if (isfinite(check->to))
    snprintf(buffer + used, size - used, ", t <= %.6g s", check->to);
  return buffer;
}

void xs_summary_warn(const xs_summary *summary, const xs_world *world, xs_report *report) {
  const xs_peak *worst = &summary->rod;
  if (worst->part < 0 || !(worst->value > ROD_RESIDUAL_WARNED)) return;
  char name[XS_PRINTABLE_NAME];
  xs_report_warning(report, NULL,
                    "rod %s was not solved well: its residual (strain, 1 and 1/m) reached %.3g at "
                    "t = %.9g s, above %.9g; give more solver.iterations or a smaller time.step",
                    xs_printable_text(world->rods[worst->part].name, name, sizeof name),
                    worst->value, worst->time, ROD_RESIDUAL_WARNED);
}

/* ---- The table of the run ---------------------------------------------------------- */

#define ROW(stream, label, ...) \
  (fprintf((stream), "%-12s", (label)), fprintf((stream), __VA_ARGS__), fputc('\n', (stream)))

static void print_energy(FILE *stream, const xs_summary *s) {
  if (s->records == 0) {
    ROW(stream, "energy", "%.9g J at t = 0", s->energy_start);
    return;
  }

  /* A drift relative to no energy at all would be no number. */
  char relative[64] = "";
  if (s->energy_scale > 0)
    snprintf(relative, sizeof relative, " (relative: %.3g)", s->drift / s->energy_scale);
  ROW(stream, "energy", "%.9g J at t = 0, %.9g J at t = %.9g s; largest drift %.3g J%s",
      s->energy_start, s->energy_end, s->energy_time, s->drift, relative);
}

static void print_residuals(FILE *stream, const xs_summary *s, const xs_world *world) {
  if (s->records == 0) {
    ROW(stream, "", "(no drift and no residuals: this run added no record)");
    return;
  }

  ROW(stream, "residual", "worst primal %.3g (relative) at t = %.9g s", s->primal_relative.value,
      s->primal_relative.time);
  char name[XS_PRINTABLE_NAME];
  const int part = s->constraint.part, n_joints = world->n_joints;
  if (part >= 0)
    ROW(stream, "", "worst constraint %.3g at t = %.9g s, %s %s", s->constraint.value,
        s->constraint.time, part < n_joints ? "joint" : "rod",
        xs_printable_text(
            part < n_joints ? world->joints[part].name : world->rods[part - n_joints].name, name,
            sizeof name));
  else
    ROW(stream, "", "worst constraint %.3g", s->constraint.value);
  if (s->from > 0)
    ROW(stream, "", "(drift and residuals over the records of this run, from t = %.9g s)", s->from);
}

static void print_contacts(FILE *stream, const xs_setup *setup) {
  const xs_touching *touching = &setup->observation->touching;
  if (!setup->world->contact.enabled) return;
  if (touching->deepest > 0)
    ROW(stream, "contacts", "deepest overlap %.3g m at t = %.9g s", touching->deepest,
        touching->deepest_time);
  else
    ROW(stream, "contacts", "no overlap");
  if (touching->n_unconverged > 0)
    ROW(stream, "",
        "%lld of %lld groups were not solved to the end (large piles are not; friction may have no "
        "solution)",
        touching->n_unconverged, touching->groups);
}

static void print_run(FILE *stream, const xs_summary *summary, const xs_setup *setup,
                      const xs_summary_end *end) {
  const xs_world *world = setup->world;
  const int64_t done = setup->state->step - end->first_step;
  const double simulated = (double)done * world->time.step;
  char parts[XS_SETUP_TEXT], name[XS_PRINTABLE_NAME], path[XS_PRINTABLE_PATH];
  ROW(stream, "scene", "%s (%s)", xs_printable_text(world->name, name, sizeof name),
      xs_printable_text(setup->source.file, path, sizeof path));
  ROW(stream, "world", "%s", xs_setup_world_text(world, parts, sizeof parts));
  ROW(stream, "simulated", "%.9g s, %lld steps of %.9g s", xs_state_time(world, setup->state),
      (long long)setup->state->step, world->time.step);

  /* Speeds need a step that was taken. */
  if (done > 0 && end->wall > 0)
    ROW(stream, "wall time", "%.3g s for %lld steps: %.3g us a step, %.3g x real time", end->wall,
        (long long)done, 1e6 * end->wall / (double)done, simulated / end->wall);
  print_energy(stream, summary);
  print_residuals(stream, summary, world);
  print_contacts(stream, setup);

  struct stat file;
  char bytes[32];
  xs_printable_text(end->path, path, sizeof path);
  if (stat(end->path, &file) == 0)
    ROW(stream, "result", "%s, %s", path,
        xs_summary_bytes((double)file.st_size, bytes, sizeof bytes));
  else
    ROW(stream, "result", "%s", path);
  ROW(stream, "status", "%s", end->status);
}

/* ---- The table of the checks ------------------------------------------------------- */

static void print_checks(FILE *stream, const xs_world *world, const xs_check_outcome *outcomes) {
  char condition[128], name[XS_PRINTABLE_NAME];
  int metric_width = (int)strlen("check"), condition_width = (int)strlen("condition");
  for (int i = 0; i < world->n_checks; i++) {
    const int m = (int)strlen(xs_printable_text(world->checks[i].metric, name, sizeof name));
    const int c = (int)strlen(xs_summary_condition(&world->checks[i], condition, sizeof condition));
    if (m > metric_width) metric_width = m;
    if (c > condition_width) condition_width = c;
  }

  fprintf(stream, "\n%-*s  %12s  %-*s  %s\n", metric_width, "check", "value", condition_width,
          "condition", "verdict");
  for (int i = 0; i < world->n_checks; i++)
    fprintf(stream, "%-*s  %12.6g  %-*s  %s\n", metric_width,
            xs_printable_text(world->checks[i].metric, name, sizeof name), outcomes[i].value,
            condition_width, xs_summary_condition(&world->checks[i], condition, sizeof condition),
            outcomes[i].held ? "held" : "FAILED");
}

void xs_summary_print(FILE *stream, const xs_summary *summary, const xs_setup *setup,
                      const xs_summary_end *end) {
  print_run(stream, summary, setup, end);
  if (end->checks != NULL && setup->world->n_checks > 0)
    print_checks(stream, setup->world, end->checks);
}
