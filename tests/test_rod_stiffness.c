/* d(G^T s)/dx of rod elements against differences, and how far it is from symmetric. */
#include <criterion/criterion.h>

#include "rod_sample.h"

enum { COLUMNS = 6 * XS_ROD_ELEMENT_NODES_MAX };

static double largest(const double *a, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(a[i]) <= most)) most = fabs(a[i]);
  return most;
}

Test(rod_stiffness, is_the_derivative_of_the_generalised_force) {
  static sample s;
  static const double angles[] = {0, 1e-9, 1e-4, 0.1, 0.5, 1};
  for (int i = 0; i < N_ROD_CASES; i++) {
    double worst = 0;
    for (int a = 0; a < 6; a++)
      for (int trial = 0; trial < 30; trial++) {
        static double exact[COLUMNS * COLUMNS], by_difference[COLUMNS * COLUMNS];
        double lambda[XS_ROWS_MAX];
        sample_element(&s, &rod_cases[i], angles[a], trial % 3 == 0 ? 0 : 0.1);
        const int n = 6 * s.block[0].n_nodes;
        for (int r = 0; r < XS_ROWS_MAX; r++) lambda[r] = uniform();
        cr_assert(s.block[0].kind->stiffness != NULL);
        s.block[0].kind->stiffness(&s.block[0], s.x, lambda, exact);
        xs_rows_stiffness_difference(&s.block[0], s.x, lambda, by_difference);
        const double size = largest(by_difference, n * n);
        for (int k = 0; k < n * n; k++) by_difference[k] -= exact[k];
        const double error = largest(by_difference, n * n) / size;
        cr_assert_leq(error, 1e-9, "%s at %g: off by %g", rod_cases[i].name, angles[a], error);
        if (error > worst) worst = error;
      }
    cr_log_info("%s: stiffness to %.1e\n", rod_cases[i].name, worst);
  }
}

/* H - H^T = hat(tau) on a node's rotation, tau its part of G^T s; all else is symmetric. */
Test(rod_stiffness, is_symmetric_but_for_the_couple_on_a_node) {
  static sample s;
  for (int i = 0; i < N_ROD_CASES; i++)
    for (int trial = 0; trial < 30; trial++) {
      static double H[COLUMNS * COLUMNS], C[XS_ROWS_MAX], G[BLOCK_SIZE];
      double lambda[XS_ROWS_MAX], g[COLUMNS];
      sample_element(&s, &rod_cases[i], 0.5, 0.1);
      const int n = 6 * s.block[0].n_nodes, m = s.block[0].n_rows;
      for (int r = 0; r < XS_ROWS_MAX; r++) lambda[r] = uniform();
      s.block[0].kind->stiffness(&s.block[0], s.x, lambda, H);
      s.block[0].kind->evaluate(&s.block[0], s.x, 0, m, C, G);
      for (int k = 0; k < n; k++) {
        g[k] = 0;
        for (int r = 0; r < m; r++) g[k] += G[k * m + r] * lambda[r];
      }
      const double size = largest(H, n * n);
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
          double expected = 0;
          if (a / 6 == b / 6 && a % 6 >= 3 && b % 6 >= 3) {
            const double *tau = g + 6 * (a / 6) + 3;
            const xs_mat3 hat = xs_mat3_hat((xs_vec3){tau[0], tau[1], tau[2]});
            expected = hat.m[a % 6 - 3][b % 6 - 3];
          }
          cr_assert_leq(fabs(H[a + n * b] - H[b + n * a] - expected), 1e-12 * size,
                        "%s: entry %d, %d", rod_cases[i].name, a, b);
        }
    }
}
