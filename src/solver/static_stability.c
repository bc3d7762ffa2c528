/* Inverse iteration (static_stability.h). */
#include "solver/static_stability.h"

#include <math.h>
#include <string.h>

#define ITERATIONS_MAX 300
#define SETTLED        1e-14 /* relative change of the eigenvalue */
/* y^T K y below this part of the sum of its terms' sizes is round-off. */
#define NOTHING 3e-14

/* The same numbers everywhere, no mode left out. */
static void fill_start(const xs_static_equations *e, double *y) {
  unsigned long long seed = 1;
  for (int i = 0; i < e->n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    y[i] = e->owner[i] >= 0 ? (double)(long long)seed * 0x1p-63 / sqrt(e->mass[i]) : 0;
  }
}

static double mass_norm2(const xs_static_equations *e, const double *y) {
  double sum = 0;
  for (int i = 0; i < e->n; i++) sum += e->mass[i] * y[i] * y[i];
  return sum;
}

/* Below all eigenvalues: -shift. */
static double shift_below(xs_static_equations *e, xs_pose *x, const xs_static_loads *loads) {
  double largest = 0;
  for (int i = 0; i < e->n; i++) largest = fmax(largest, e->mass[i]);
  double shift = 1e-3 * e->scale / (largest * e->system->world->size);
  if (!(shift > 0)) shift = 1e-6;
  for (int k = 0; k < 60 && xs_static_equations_negative(e, x, loads, shift) > 0; k++) shift *= 4;
  return shift;
}

/* The node that takes most of the mode's kinetic energy. */
static int busiest(const xs_static_equations *e, const double *y) {
  int node = 0;
  double most = -1;
  for (int i = 0; i < e->system->world->n_nodes; i++) {
    if (e->node_at[i] < 0) continue;
    double sum = 0;
    for (int c = e->node_at[i]; c < e->node_at[i] + 6; c++) sum += e->mass[c] * y[c] * y[c];
    if (sum > most) most = sum, node = i;
  }
  return node;
}

xs_static_stability xs_static_stability_of(xs_static_newton *newton, xs_pose *x,
                                           const xs_static_loads *loads) {
  xs_static_equations *e = newton->equations;
  xs_static_stability result = {0};
  double *y = newton->mean, *z = newton->next;
  xs_static_equations_balance(e, x, loads);

  /* eps of the rows, which counting needs, comes with the matrix. */
  int bad = xs_static_equations_factor(e, x, loads, 0, 1);
  if (bad >= 0) {
    result.singular = 1;
    result.node = e->owner[bad] >= 0 ? e->owner[bad]
                                     : e->system->block[-1 - e->owner[bad]]
                                           .node[e->system->block[-1 - e->owner[bad]].n_nodes - 1];
    return result;
  }
  result.negative = xs_static_equations_negative(e, x, loads, 0);
  double shift = 0;
  if (result.negative > 0) {
    shift = shift_below(e, x, loads);
    if (xs_static_equations_factor(e, x, loads, shift, 1) >= 0) shift *= 1.5;
    (void)xs_static_equations_factor(e, x, loads, shift, 1);
  }

  fill_start(e, y);
  for (int k = 0; k < ITERATIONS_MAX; k++) {
    for (int i = 0; i < e->n; i++) z[i] = e->mass[i] * y[i];
    xs_band_lu_solve(&e->matrix, z);
    for (int i = 0; i < e->n; i++)
      if (e->owner[i] < 0) z[i] = 0;
    double product = 0;
    for (int i = 0; i < e->n; i++) product += z[i] * e->mass[i] * y[i];
    const double norm2 = mass_norm2(e, z), before = result.lowest;
    if (!(norm2 > 0) || !isfinite(norm2)) break;
    result.lowest = product / norm2 - shift;
    const double scale = 1 / sqrt(norm2);
    for (int i = 0; i < e->n; i++) y[i] = scale * z[i];
    if (k > 1 && fabs(result.lowest - before) <= SETTLED * (fabs(result.lowest) + shift)) break;
  }
  double magnitude, energy = xs_static_equations_energy(e, x, loads, y, &magnitude);
  result.singular = fabs(energy) <= NOTHING * magnitude;
  result.node = busiest(e, y);
  return result;
}
