/* Inverse iteration (static_stability.h). */
#include "solver/static_stability.h"

#include <math.h>
#include <string.h>

#define ITERATIONS_MAX 300
#define ITERATIONS_FEW 12    /* a direction that nothing holds shows in the first */
#define SETTLED        1e-14 /* relative change of the eigenvalue */
/* An eigenvalue below this part of the sum of sizes |y|^T |K| |y| cannot be told from 0. */
#define NOTHING 3e-14

/* The same numbers everywhere, no mode left out. */
static void fill_start(const xs_static_equations *e, double *y) {
  unsigned long long seed = 1;
  for (int i = 0; i < e->n; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    y[i] = e->owner[i] >= 0 ? (double)(long long)seed * 0x1p-63 / sqrt(e->mass[i]) : 0;
  }
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

/* A node of the unknown that has no pivot. */
static int node_of(const xs_static_equations *e, int unknown) {
  const int owner = e->owner[unknown];
  if (owner >= 0) return owner;
  const xs_row_block *block = &e->system->block[-1 - owner];
  return block->node[block->n_nodes - 1];
}

/* Inverse iteration on the factored matrix from a fixed start; y of M-norm 1, the latest
 * 1/|z|_M and (y, z)_M/|z|_M^2 are two estimates of the eigenvalue nearest 0, less the shift. */
typedef struct eigenvalue {
  double size, signed_one;
} eigenvalue;

static eigenvalue iterate(xs_static_newton *newton, int most) {
  xs_static_equations *e = newton->equations;
  double *y = newton->mean, *z = newton->next;
  eigenvalue value = {0, 0};
  fill_start(e, y);
  for (int k = 0; k < most; k++) {
    for (int i = 0; i < e->n; i++) z[i] = e->mass[i] * y[i];
    xs_band_lu_solve(&e->matrix, z);
    double product = 0, norm2 = 0;
    for (int i = 0; i < e->n; i++) {
      if (e->owner[i] < 0) z[i] = 0;
      product += z[i] * e->mass[i] * y[i];
      norm2 += e->mass[i] * z[i] * z[i];
    }
    if (!(norm2 > 0) || !isfinite(norm2)) break;
    const double before = value.signed_one, scale = 1 / sqrt(norm2);
    value = (eigenvalue){scale * (k > 0 ? 1 : 0), product / norm2};
    for (int i = 0; i < e->n; i++) y[i] = scale * z[i];
    if (k > 1 && fabs(value.signed_one - before) <= SETTLED * fabs(value.signed_one)) break;
  }
  return value;
}

int xs_static_stability_unheld(xs_static_newton *newton, xs_pose *x, const xs_static_loads *loads) {
  xs_static_equations *e = newton->equations;
  if (e->n == 0) return -1;
  xs_static_equations_balance(e, x, loads);
  const int bad = xs_static_equations_factor(e, x, loads, 0, 0);
  if (bad >= 0) return node_of(e, bad);
  const double size = iterate(newton, ITERATIONS_FEW).size;
  double magnitude;
  (void)xs_static_equations_energy(e, x, loads, newton->mean, &magnitude);
  return size <= NOTHING * magnitude ? busiest(e, newton->mean) : -1;
}

xs_static_stability xs_static_stability_of(xs_static_newton *newton, xs_pose *x,
                                           const xs_static_loads *loads) {
  xs_static_equations *e = newton->equations;
  xs_static_stability result = {0};
  if (e->n == 0) return result;
  xs_static_equations_balance(e, x, loads);

  /* eps of the rows, which counting needs, comes with the matrix. */
  if (xs_static_equations_factor(e, x, loads, 0, 1) >= 0) return result;
  result.negative = xs_static_equations_negative(e, x, loads, 0);
  double shift = 0;
  if (result.negative > 0) {
    shift = shift_below(e, x, loads);
    if (xs_static_equations_factor(e, x, loads, shift, 1) >= 0) return result;
  }
  result.lowest = iterate(newton, ITERATIONS_MAX).signed_one - shift;
  return result;
}
