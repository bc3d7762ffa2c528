/* Interpolated rotation of one rod element, (99) of Tobin & Rucker, for figures and tests:
 *
 *   rod_rotation NODES < "w x y z" of each node, then xi after xi      prints "w x y z" of R(xi)
 *
 * R(xi) = R_ref Exp(sum phi_j(xi) Theta_j): reference and Theta_j of rod_rotation.h, the
 * polynomials of rod_shape.h. Elements themselves take it at Gauss points only (rod_element.c). */
#include <stdio.h>
#include <stdlib.h>

#include "constraint/rod_rotation.h"
#include "constraint/rod_shape.h"
#include "math/so3.h"

/* Inlined with n constant in the simulator; here once for each. */
static void rotate(const xs_pose *x, int n, xs_rod_rotation *rotation) {
  if (n == 2) xs_rod_rotate(x, 2, rotation);
  if (n == 3) xs_rod_rotate(x, 3, rotation);
  if (n == 4) xs_rod_rotate(x, 4, rotation);
}

int main(int argc, char **argv) {
  const int n = argc == 2 ? atoi(argv[1]) : 0;
  if (n < 2 || n > XS_ROD_ELEMENT_NODES_MAX) {
    fprintf(stderr, "rod_rotation: give the number of nodes, 2 to 4\n");
    return 2;
  }
  xs_pose x[XS_ROD_ELEMENT_NODES_MAX] = {{{0, 0, 0}, xs_quat_identity(), xs_mat3_identity()}};
  for (int j = 0; j < n; j++) {
    xs_quat *q = &x[j].q;
    if (scanf("%lf %lf %lf %lf", &q->w, &q->x, &q->y, &q->z) != 4) {
      fprintf(stderr, "rod_rotation: node %d of %d needs four numbers\n", j, n);
      return 2;
    }
    x[j].R = xs_so3_matrix(*q);
  }

  xs_rod_rotation rotation = {0};
  rotate(x, n, &rotation);
  const int reference = xs_rod_reference(n);
  xs_quat q_ref =
      reference == XS_ROD_HALF_WAY
          ? xs_quat_mul(
                x[XS_ROD_INNER_A].q,
                xs_rod_half(xs_quat_mul(xs_quat_conj(x[XS_ROD_INNER_A].q), x[XS_ROD_INNER_B].q)))
          : x[reference].q;
  for (double xi; scanf("%lf", &xi) == 1;) {
    const xs_rod_shape shape = xs_rod_shape_at(n, xi);
    xs_vec3 theta = {0, 0, 0};
    for (int j = 0; j < n; j++)
      if (j != reference) theta = xs_vec3_add_scaled(theta, shape.phi[j], rotation.Theta[j]);
    const xs_quat q = xs_so3_plus(q_ref, theta);
    printf("%.17g %.17g %.17g %.17g\n", q.w, q.x, q.y, q.z);
  }
  return 0;
}
