/* Equations of rows and their multipliers in a rattle step (rattle_rows.h). */
#include "solver/rattle_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/trig.h"

/* Least theta and sigma: what divides by them stays far from overflow. */
#define LEAST_BLEND 1e-9

/* ---- create ---- */

/* Whether row r of a block is a length; else it is an angle. */
static int is_length(const xs_mechanism *m, const xs_row_block *block, int r) {
  const xs_joint_type type = m->world->joints[block->entity].type;
  const int sort = m->sort[block->first_row], coordinate = sort >= XS_ROW_DASHPOT;
  if (!coordinate && sort != XS_ROW_LIMIT && r < xs_joint_kind(type)->n_rows)
    return r < xs_joint_translation_rows(type);
  if (type == XS_JOINT_PLANAR) return r < 2;
  return type == XS_JOINT_PRISMATIC || type == XS_JOINT_DISTANCE;
}

xs_status xs_rattle_rows_create(const xs_mechanism *m, double h, xs_arena *arena,
                                xs_rattle_rows *rows, xs_report *report) {
  const size_t n = (size_t)m->n_rows;
  *rows = (xs_rattle_rows){.mechanism = m, .h = h, .stiffest = -1};
  double **const vectors[] = {&rows->lambda, &rows->mu,    &rows->impulse,  &rows->C_n,
                              &rows->aim_n,  &rows->moved, &rows->blend,    &rows->diagonal,
                              &rows->weight, &rows->unit,  &rows->residual, &rows->A,
                              &rows->S,      &rows->rhs,   &rows->rate};
  int ok = 1;
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    ok &= (*vectors[i] = XS_ARENA_NEW(arena, double, n)) != NULL;
  rows->elastic = XS_ARENA_NEW(arena, unsigned char, n);
  rows->carries = XS_ARENA_NEW(arena, unsigned char, n);
  if (!ok || !rows->elastic || !rows->carries)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory");

  rows->n_elastic = m->count[XS_ROW_SPRING] + m->count[XS_ROW_DASHPOT];
  for (int b = 0; b < m->n_blocks; b++)
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      rows->elastic[row] = m->sort[row] == XS_ROW_SPRING || m->sort[row] == XS_ROW_DASHPOT;
      rows->unit[row] = is_length(m, &m->block[b], r) ? fmin(m->world->size, 1) : 1;
      rows->weight[row] = 1;
    }
  xs_status status = xs_mechanism_global(m, arena, &rows->global, report);
  if (status == XS_OK) status = xs_global_add_ahead(rows->global, arena, report);
  return status;
}

/* ---- Coefficients ---- */

static double blend_of(double z) {
  const double part = z / (4 + z);
  return fmax(part * part, LEAST_BLEND);
}

/* theta, sigma, and the weights of residuals, by the gradients at hand. */
static void find_blends(xs_rattle_rows *rows) {
  const xs_mechanism *m = rows->mechanism;
  const double h = rows->h;
  if (rows->n_elastic == 0) return;
  xs_global_row_sums(rows->global, rows->elastic, rows->A, rows->S);
  for (int row = 0; row < m->n_rows; row++) {
    if (!rows->elastic[row]) continue;
    const int spring = m->sort[row] == XS_ROW_SPRING;
    const double z = spring ? h * h * m->stiffness[row] * rows->S[row]
                            : h * m->dashpot[row].damping * rows->S[row];
    rows->blend[row] = blend_of(z);
    if (spring && z > 1 && rows->stiffest < 0) rows->stiffest = row;
  }
}

/* D of the position solve. */
static double position_diagonal(const xs_rattle_rows *rows, int row) {
  const xs_mechanism *m = rows->mechanism;
  const double h = rows->h;
  switch ((xs_row_sort)m->sort[row]) {
    case XS_ROW_HARD:
    case XS_ROW_RATE:
      return 0;
    case XS_ROW_SPRING:
      return 2 / (h * h * m->stiffness[row] * rows->blend[row]);
    case XS_ROW_DASHPOT:
      return 2 / (h * m->dashpot[row].damping);
    case XS_ROW_LIMIT:
      return rows->carries[row] ? 0 : XS_MECHANISM_OUT;
    case XS_ROW_NONE:
      break;
  }
  return XS_MECHANISM_OUT;
}

static double velocity_diagonal(const xs_rattle_rows *rows, int row) {
  const double D = position_diagonal(rows, row);
  return rows->mechanism->sort[row] == XS_ROW_DASHPOT ? D / rows->blend[row] : D;
}

static int entity_of(const xs_rattle_rows *rows, int failed) {
  return failed < 0 ? -1 : rows->mechanism->block[failed].entity;
}

int xs_rattle_rows_factor(xs_rattle_rows *rows) {
  for (int row = 0; row < rows->mechanism->n_rows; row++) {
    rows->diagonal[row] = position_diagonal(rows, row);
    if (rows->elastic[row]) rows->weight[row] = rows->A[row] / (rows->A[row] + rows->diagonal[row]);
  }
  return entity_of(rows, xs_global_factor(rows->global, rows->diagonal));
}

/* ---- The start of a step ---- */

static double aim_at(const xs_rattle_rows *rows, int row, double t) {
  const xs_dashpot *dashpot = &rows->mechanism->dashpot[row];
  return dashpot->rate ? dashpot->weight * xs_timefn_value(dashpot->rate, t) : 0;
}

/* C_n and aim_n from the values at hand. */
static void keep_values(xs_rattle_rows *rows, double t) {
  const xs_mechanism *m = rows->mechanism;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(rows->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      rows->C_n[m->block[b].first_row + r] = C[r];
      rows->aim_n[m->block[b].first_row + r] = aim_at(rows, m->block[b].first_row + r, t);
    }
  }
}

int xs_rattle_rows_begin(xs_rattle_rows *rows, const xs_pose *x, double t) {
  const xs_mechanism *m = rows->mechanism;
  xs_global_evaluate(rows->global, x);
  keep_values(rows, t);
  for (int row = 0; row < m->n_rows; row++) {
    rows->carries[row] = m->sort[row] == XS_ROW_LIMIT && rows->impulse[row] > 0;
    rows->residual[row] = m->sort[row] == XS_ROW_HARD ? rows->C_n[row] : 0;
  }
  find_blends(rows);
  return xs_rattle_rows_factor(rows);
}

void xs_rattle_rows_warm_start(xs_rattle_rows *rows) {
  const xs_mechanism *m = rows->mechanism;
  for (int row = 0; row < m->n_rows; row++)
    rows->lambda[row] = m->sort[row] == XS_ROW_LIMIT ? fmax(rows->mu[row], 0) : rows->mu[row];
}

/* ---- Position solve ---- */

/* C - C_n of coordinates: rotation vectors and angles within half a turn, which jump there, the
 * short way round. */
static void find_change(const xs_rattle_rows *rows, const xs_row_block *block, const double *C,
                        double *change) {
  const double *C_n = rows->C_n + block->first_row;
  for (int r = 0; r < block->n_rows; r++) change[r] = C[r] - C_n[r];
  if (block->kind == &xs_joint_planar_coordinate)
    change[2] -= 2 * XS_PI * floor(change[2] / (2 * XS_PI) + 0.5);
  if (block->kind != &xs_joint_spherical_coordinate) return;
  const double size = sqrt(C[0] * C[0] + C[1] * C[1] + C[2] * C[2]);
  const double other = size > 0 ? 1 - 2 * XS_PI / size : 1; /* the same rotation from behind */
  double far = 0, near = 0;
  for (int r = 0; r < 3; r++) {
    far += change[r] * change[r];
    near += (other * C[r] - C_n[r]) * (other * C[r] - C_n[r]);
  }
  for (int r = 0; r < 3 && near < far; r++) change[r] = other * C[r] - C_n[r];
}

/* r of a row; `change` is C - C_n of coordinates. */
static double position_residual(xs_rattle_rows *rows, int row, double C, double change, double t) {
  const double softness = rows->h * rows->diagonal[row] * rows->lambda[row];
  switch ((xs_row_sort)rows->mechanism->sort[row]) {
    case XS_ROW_HARD:
      return C;
    case XS_ROW_LIMIT:
      return rows->carries[row] ? C : 0;
    case XS_ROW_SPRING:
      return C + (1 / rows->blend[row] - 1) * rows->C_n[row] + softness;
    case XS_ROW_DASHPOT:
    case XS_ROW_RATE:
      rows->moved[row] = change - 0.5 * rows->h * (rows->aim_n[row] + aim_at(rows, row, t));
      return rows->moved[row] + softness;
    case XS_ROW_NONE:
      break;
  }
  return 0;
}

double xs_rattle_rows_evaluate(xs_rattle_rows *rows, const xs_pose *x, double t, int *joined,
                               int *worst) {
  const xs_mechanism *m = rows->mechanism;
  double largest = 0;
  *worst = *joined = 0;
  xs_global_evaluate_ahead(rows->global, x);
  for (int b = 0; b < m->n_blocks; b++) {
    const xs_row_block *block = &m->block[b];
    const double *C = xs_global_value(rows->global, b);
    double change[XS_ROWS_MAX] = {0};
    if (m->sort[block->first_row] >= XS_ROW_DASHPOT) find_change(rows, block, C, change);
    for (int r = 0; r < block->n_rows; r++) {
      const int row = block->first_row + r;
      if (m->sort[row] == XS_ROW_LIMIT && !rows->carries[row] && C[r] < 0)
        rows->carries[row] = 1, *joined = 1;
      rows->residual[row] = rows->weight[row] * position_residual(rows, row, C[r], change[r], t);
      const double size = fabs(rows->residual[row]) / rows->unit[row];
      if (size <= largest) continue;
      largest = size; /* NaN gets here, too, and stays */
      *worst = row;
      if (!(size <= DBL_MAX)) return size;
    }
  }
  return largest;
}

int xs_rattle_rows_correct(xs_rattle_rows *rows) {
  const xs_mechanism *m = rows->mechanism;
  int let_go = 0;
  for (int row = 0; row < m->n_rows; row++)
    rows->rhs[row] = -rows->residual[row] / (rows->weight[row] * rows->h);
  xs_mechanism_back(m, rows->global, rows->diagonal, rows->rhs);
  for (int row = 0; row < m->n_rows; row++) {
    rows->lambda[row] += rows->rhs[row];
    if (!rows->carries[row] || !(rows->lambda[row] < 0)) continue;
    rows->lambda[row] = 0;
    rows->carries[row] = 0;
    let_go = 1;
  }
  return let_go;
}

/* ---- Velocity solve ---- */

/* -e of every row into rhs; limits that are out: 0. */
static void velocity_rhs(xs_rattle_rows *rows) {
  const xs_mechanism *m = rows->mechanism;
  const double h = rows->h;
  for (int b = 0; b < m->n_blocks; b++) {
    const double *C = xs_global_value(rows->global, b);
    for (int r = 0; r < m->block[b].n_rows; r++) {
      const int row = m->block[b].first_row + r;
      const double blend = rows->blend[row];
      double e = rows->rate[row];
      if (m->sort[row] == XS_ROW_SPRING) e += C[r] / (h * blend);
      if (m->sort[row] == XS_ROW_DASHPOT) e += (1 - blend) / (h * blend) * rows->moved[row];
      if (rows->diagonal[row] == XS_MECHANISM_OUT) e = 0;
      rows->rhs[row] = -e;
    }
  }
}

/* Limits whose whole impulse would pull get none: their lambda is taken back. Returns whether
 * there were any; the kick of the rows is then that of these alone, in rhs. */
static int take_back(xs_rattle_rows *rows) {
  const xs_mechanism *m = rows->mechanism;
  int any = 0;
  if (m->count[XS_ROW_LIMIT] == 0) return 0;
  for (int row = 0; row < m->n_rows; row++)
    any |= rows->carries[row] && rows->rhs[row] < -rows->lambda[row];
  if (!any) return 0;
  for (int row = 0; row < m->n_rows; row++) {
    const int pulls = rows->carries[row] && rows->rhs[row] < -rows->lambda[row];
    rows->rhs[row] = pulls ? -rows->lambda[row] : 0;
    if (!pulls) continue;
    rows->mu[row] = -rows->lambda[row];
    rows->carries[row] = 0;
  }
  return 1;
}

int xs_rattle_rows_finish(xs_rattle_rows *rows, xs_state *state, double t) {
  const xs_mechanism *m = rows->mechanism;
  xs_global_step_ahead(rows->global);
  find_blends(rows);
  memset(rows->mu, 0, (size_t)m->n_rows * sizeof *rows->mu);
  int failed, changed = m->count[XS_ROW_DASHPOT] > 0;
  for (;; changed = 1) {
    for (int row = 0; row < m->n_rows; row++) rows->diagonal[row] = velocity_diagonal(rows, row);
    failed = xs_global_factor(rows->global, rows->diagonal);
    if (failed >= 0) return entity_of(rows, failed);
    xs_mechanism_rates(m, rows->global, state, t, rows->rate);
    velocity_rhs(rows);
    xs_mechanism_back(m, rows->global, rows->diagonal, rows->rhs);
    const int pulled = take_back(rows);
    xs_global_kick(rows->global, rows->rhs, state);
    if (!pulled) break;
  }
  for (int row = 0; row < m->n_rows; row++) {
    rows->mu[row] += rows->rhs[row];
    rows->impulse[row] = rows->lambda[row] + rows->mu[row];
    if (rows->carries[row] && !(rows->impulse[row] > 0)) rows->carries[row] = 0, changed = 1;
  }
  keep_values(rows, t);
  if (changed) return xs_rattle_rows_factor(rows);
  for (int row = 0; rows->n_elastic > 0 && row < m->n_rows; row++)
    if (rows->elastic[row]) rows->weight[row] = rows->A[row] / (rows->A[row] + rows->diagonal[row]);
  return -1;
}
