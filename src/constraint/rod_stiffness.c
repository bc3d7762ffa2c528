/* Geometric stiffness of rod elements: the derivative of G^T s, s = (n, m) at each Gauss point.
 *
 * Seen from the reference, with w = R_ref^T p', an element's potential at a point is
 *   psi(w, theta, theta') = n.Exp(theta)^T w + m.Gamma(theta) theta'
 *   psi_w      = E n                         psi_w_theta  = W = -E hat(n) Gamma
 *   psi_theta  = Gamma^T (n x v) + grad f    psi_theta^2  = T = Gamma^T hat(n) hat(v) Gamma
 *   psi_theta' = Gamma^T m                                      - H(-theta, n x v) + f''
 *                                            psi_theta'_theta = U = -H(-theta, m)
 * (f = m.Gamma(theta) theta': so3_second.h; H: so3.h). theta and theta' are linear in the nodes'
 * logarithms, so that Gauss points add up to b_j = sum c_j psi_w and a_j = sum (phi_j psi_theta +
 * c_j psi_theta'), the forces on p_j and Theta_j, t = sum psi_w x w on the reference, and to their
 * derivatives BT, AA, AR, TR. What is on the nodes follows once an element by
 *   g_p = R_ref b_j,   g_j = Gi_j^T a_j,   g_ref = t - sum Gi_j a_j,
 *   dw = R_ref^T dp' + w x d_ref,   dTheta_j = Gi_j d_j - Gi_j^T d_ref.
 * A half-way reference passes its own on to the inner nodes (rod_rotation.h): d_ref = L_a d_a +
 * L_b d_b, L = (I -+ hat(s))/2, ds = (I + hat(s) + s s^T) (d_b - E_b^T d_ref)/2. */
#include "constraint/rod_stiffness.h"

#include <string.h>

#include "constraint/rod_rotation.h"
#include "constraint/rod_shape.h"
#include "constraint/row_stiffness.h"

enum { NODES = XS_ROD_ELEMENT_NODES_MAX };

/* n, m of a point; rows that are left out have none. */
static xs_vec3 acting(xs_vec3 K, const double *s) {
  return (xs_vec3){K.x != 0 ? s[0] : 0, K.y != 0 ? s[1] : 0, K.z != 0 ? s[2] : 0};
}

static xs_mat3 product(xs_vec3 a, xs_vec3 b) { /* hat(a) hat(b) = b a^T - (a.b) I */
  xs_mat3 A = xs_mat3_outer(b, a);
  const double dot = xs_vec3_dot(a, b);
  for (int i = 0; i < 3; i++) A.m[i][i] -= dot;
  return A;
}

static void add_scaled(xs_mat3 *A, double s, const xs_mat3 *B) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) A->m[i][j] += s * B->m[i][j];
}

/* ---- Chain ---- */

/* v's part: n.v = sum_i (R_i n).dp / 2l, y_i = R_i^T dp. */
static void add_mean_shear(const xs_pose *x, double c, xs_vec3 n, double *H) {
  const xs_vec3 dp = xs_vec3_sub(x[1].p, x[0].p);
  const xs_mat3 cross = xs_mat3_hat(xs_vec3_scale(c, n));
  for (int i = 0; i < 2; i++) {
    const xs_mat3 on_p = xs_mat3_scale(-1, xs_mat3_mul(x[i].R, cross)),
                  from_p = xs_mat3_mult(cross, x[i].R);
    for (int k = 0; k < 2; k++) {
      const double sign = k == 0 ? -1 : 1;
      xs_row_stiffness_add(H, 12, k, 0, i, 3, xs_mat3_scale(sign, on_p));
      xs_row_stiffness_add(H, 12, i, 3, k, 0, xs_mat3_scale(sign, from_p));
    }
    xs_row_stiffness_add(H, 12, i, 3, i, 3,
                         product(xs_vec3_scale(c, n), xs_mat3_tmul_vec(&x[i].R, dp)));
  }
}

void xs_rod_stiffness_chain(const xs_row_block *block, const xs_pose *x, const double *s,
                            double *H) {
  const xs_rod_element *data = block->data;
  const double inv_length = 1 / data->rod->element_length;
  x += block->node[0];
  memset(H, 0, 144 * sizeof *H);
  add_mean_shear(x, 0.5 * inv_length, acting(data->rod->K_shear, s), H);

  xs_mat3 Gi;
  const xs_vec3 Theta = xs_so3_unit_log(xs_quat_mul(xs_quat_conj(x[0].q), x[1].q), &Gi);
  const xs_vec3 m = xs_vec3_scale(inv_length, acting(data->rod->K_bend, s + 3));
  const xs_row_log_stiffness log = xs_row_stiffness_log(Theta, &Gi, m);
  xs_row_stiffness_add(H, 12, 1, 3, 1, 3, log.jj);
  xs_row_stiffness_add(H, 12, 1, 3, 0, 3, log.jo);
  xs_row_stiffness_add(H, 12, 0, 3, 1, 3, log.oj);
  xs_row_stiffness_add(H, 12, 0, 3, 0, 3, log.oo);
}

/* ---- Elements: sums over Gauss points ---- */

typedef struct sums {
  xs_vec3 a[NODES], b[NODES], t;
  xs_mat3 BT[NODES][NODES]; /* d b_i / d Theta_j; its transpose: d a_j / d P_i */
  xs_mat3 AA[NODES][NODES]; /* d a_i / d Theta_j */
  xs_mat3 AR[NODES];        /* d a_i / d ref; its transpose: d t / d Theta_i */
  xs_mat3 TR;               /* d t / d ref */
} sums;

/* A point's theta, theta' and w. */
typedef struct point {
  double phi[NODES], c[NODES];
  xs_vec3 theta, theta_s, w;
} point;

static point point_at(const xs_pose *x, const xs_rod_rotation *rotation, int n, double inv_length,
                      const xs_rod_shape *shape) {
  point p = {.theta = {0, 0, 0}};
  xs_vec3 p_s = {0, 0, 0};
  for (int j = 0; j < n; j++) {
    p.phi[j] = shape->phi[j];
    p.c[j] = shape->dphi[j] * inv_length;
    if (j > 0) p_s = xs_vec3_add_scaled(p_s, p.c[j], xs_vec3_sub(x[j].p, x[0].p));
    if (j == xs_rod_reference(n)) continue;
    p.theta = xs_vec3_add_scaled(p.theta, p.phi[j], rotation->Theta[j]);
    p.theta_s = xs_vec3_add_scaled(p.theta_s, p.c[j], rotation->Theta[j]);
  }
  p.w = xs_mat3_tmul_vec(&rotation->R_ref, p_s);
  return p;
}

static void add_point(const point *p, int n_nodes, xs_vec3 n, xs_vec3 m, sums *sum) {
  const xs_mat3 E = xs_so3_matrix(xs_so3_exp(p->theta)), Gamma = xs_so3_gamma(p->theta);
  const xs_vec3 v = xs_mat3_tmul_vec(&E, p->w), back = xs_vec3_neg(p->theta),
                nv = xs_vec3_cross(n, v), psi_w = xs_mat3_mul_vec(&E, n),
                psi_s = xs_mat3_tmul_vec(&Gamma, m);
  xs_mat3 f;
  const xs_vec3 grad_f = xs_so3_gamma_hessian(p->theta, p->theta_s, m, &f),
                psi = xs_vec3_add(xs_mat3_tmul_vec(&Gamma, nv), grad_f);

  const xs_mat3 nG = xs_mat3_mul(xs_mat3_hat(n), Gamma);
  const xs_mat3 W = xs_mat3_scale(-1, xs_mat3_mul(E, nG)),
                U = xs_mat3_scale(-1, xs_so3_dgamma(back, m)), turn = xs_so3_dgamma(back, nv),
                WR = xs_mat3_tmul(W, xs_mat3_hat(p->w)), tr = product(psi_w, p->w);
  xs_mat3 T = xs_mat3_tmul(Gamma, xs_mat3_mul(product(n, v), Gamma));
  add_scaled(&T, -1, &turn);
  add_scaled(&T, 1, &f);

  sum->t = xs_vec3_add(sum->t, xs_vec3_cross(psi_w, p->w));
  add_scaled(&sum->TR, 1, &tr);
  const int reference = xs_rod_reference(n_nodes);
  for (int i = 0; i < n_nodes; i++) {
    sum->b[i] = xs_vec3_add_scaled(sum->b[i], p->c[i], psi_w);
    for (int j = 0; j < n_nodes; j++)
      if (j != reference) add_scaled(&sum->BT[i][j], p->c[i] * p->phi[j], &W);
    if (i == reference) continue;
    sum->a[i] = xs_vec3_add_scaled(sum->a[i], p->phi[i], psi);
    sum->a[i] = xs_vec3_add_scaled(sum->a[i], p->c[i], psi_s);
    add_scaled(&sum->AR[i], p->phi[i], &WR);
    for (int j = 0; j < n_nodes; j++) {
      if (j == reference) continue;
      for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
          sum->AA[i][j].m[r][k] += p->phi[i] * p->phi[j] * T.m[r][k] +
                                   p->phi[i] * p->c[j] * U.m[k][r] +
                                   p->c[i] * p->phi[j] * U.m[r][k];
    }
  }
}

/* ---- From the reference's coordinates to the nodes' ---- */

/* The reference stands behind the nodes: its rotation is node n's. */
static void put_on_nodes(const xs_rod_rotation *rotation, int n, const sums *sum, double *H,
                         int ld) {
  const int reference = xs_rod_reference(n), ref = n;
  const xs_mat3 *Gi = rotation->Gi, R = rotation->R_ref;

  /* Derivatives by d_ref of b_i, a_i and t: own, and through the Theta_j. */
  xs_mat3 on_ref = sum->TR;
  for (int i = 0; i < n; i++) {
    xs_mat3 b_ref = xs_mat3_hat(xs_vec3_neg(sum->b[i]));
    for (int j = 0; j < n; j++) {
      if (j == reference) continue;
      const xs_mat3 through = xs_mat3_mult(sum->BT[i][j], Gi[j]),
                    by_d = xs_mat3_mul(R, xs_mat3_mul(sum->BT[i][j], Gi[j]));
      add_scaled(&b_ref, -1, &through);
      xs_row_stiffness_add(H, ld, i, 0, j, 3, by_d);
      xs_row_stiffness_add(H, ld, j, 3, i, 0, xs_mat3_transpose(by_d));
    }
    const xs_mat3 p_ref = xs_mat3_mul(R, b_ref);
    xs_row_stiffness_add(H, ld, i, 0, ref, 3, p_ref);
    xs_row_stiffness_add(H, ld, ref, 3, i, 0, xs_mat3_transpose(p_ref));
    if (i == reference) continue;

    xs_mat3 a_ref = sum->AR[i];
    for (int j = 0; j < n; j++) {
      if (j == reference) continue;
      const xs_mat3 by_d = xs_mat3_mul(sum->AA[i][j], Gi[j]),
                    through = xs_mat3_mult(sum->AA[i][j], Gi[j]);
      add_scaled(&a_ref, -1, &through);
      xs_row_stiffness_add(H, ld, i, 3, j, 3, xs_mat3_tmul(Gi[i], by_d));
      xs_row_stiffness_add(H, ld, ref, 3, j, 3, xs_mat3_scale(-1, xs_mat3_mul(Gi[i], by_d)));
    }
    xs_row_stiffness_add(H, ld, i, 3, ref, 3, xs_mat3_tmul(Gi[i], a_ref));
    xs_row_stiffness_add(H, ld, ref, 3, i, 3, xs_mat3_tmul(sum->AR[i], Gi[i]));
    const xs_mat3 back = xs_mat3_mul(Gi[i], a_ref),
                  t_ref = xs_mat3_transpose(xs_mat3_mul(Gi[i], sum->AR[i]));
    add_scaled(&on_ref, -1, &back);
    add_scaled(&on_ref, -1, &t_ref);

    /* Gi^T and Gi turn, too. */
    const xs_row_log_stiffness log = xs_row_stiffness_log(rotation->Theta[i], &Gi[i], sum->a[i]);
    xs_row_stiffness_add(H, ld, i, 3, i, 3, log.jj);
    xs_row_stiffness_add(H, ld, i, 3, ref, 3, log.jo);
    xs_row_stiffness_add(H, ld, ref, 3, i, 3, log.oj);
    add_scaled(&on_ref, 1, &log.oo);
  }
  xs_row_stiffness_add(H, ld, ref, 3, ref, 3, on_ref);
}

static xs_mat3 block_of(const double *H, int ld, int row, int column) {
  xs_mat3 A;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) A.m[r][c] = H[row + r + ld * (column + c)];
  return A;
}

/* Adds A-weighted columns and rows of the reference to those of a node. */
static void pass_on(double *H, int n, int ld, int node, const xs_mat3 *L, int rows) {
  const int ref = 6 * n + 3, part = 3;
  for (int k = 0; k < 2 * (n + 1); k++) {
    const int at = 3 * k;
    if (rows) {
      const xs_mat3 A = block_of(H, ld, ref, at);
      xs_row_stiffness_add(H, ld, node, part, at / 6, at % 6, xs_mat3_tmul(*L, A));
    } else {
      const xs_mat3 A = block_of(H, ld, at, ref);
      xs_row_stiffness_add(H, ld, at / 6, at % 6, node, part, xs_mat3_mul(A, *L));
    }
  }
}

/* g_ref = t - sum Gi_j a_j */
static xs_vec3 on_reference(const xs_rod_rotation *rotation, int n, const sums *sum) {
  xs_vec3 tau = sum->t;
  for (int j = 0; j < n; j++)
    if (j != xs_rod_reference(n))
      tau = xs_vec3_sub(tau, xs_mat3_mul_vec(&rotation->Gi[j], sum->a[j]));
  return tau;
}

static void pass_half_way(const xs_rod_rotation *rotation, int n, xs_vec3 tau, double *H, int ld) {
  const xs_vec3 s = rotation->s;
  const xs_mat3 I = xs_mat3_identity(), hat = xs_mat3_hat(s),
                La = xs_mat3_scale(0.5, xs_mat3_add(I, xs_mat3_transpose(hat))),
                Lb = xs_mat3_scale(0.5, xs_mat3_add(I, hat));
  const xs_mat3 *const L[2] = {&La, &Lb};
  const int inner[2] = {XS_ROD_INNER_A, XS_ROD_INNER_B};
  for (int k = 0; k < 2; k++) pass_on(H, n, ld, inner[k], L[k], 0);
  for (int k = 0; k < 2; k++) pass_on(H, n, ld, inner[k], L[k], 1);

  /* dL^T tau = -+ hat(tau) ds / 2 */
  const xs_mat3 S = xs_mat3_scale(0.5, xs_mat3_add(xs_mat3_add(I, hat), xs_mat3_outer(s, s)));
  const xs_mat3 E = xs_so3_matrix(xs_so3_exp(rotation->Theta[XS_ROD_INNER_B]));
  const xs_mat3 tS = xs_mat3_mul(xs_mat3_hat(xs_vec3_scale(0.5, tau)), S),
                by_a = xs_mat3_scale(-1, xs_mat3_mul(tS, xs_mat3_tmul(E, La)));
  const xs_mat3 EL = xs_mat3_tmul(E, Lb),
                by_b = xs_mat3_mul(tS, xs_mat3_add(I, xs_mat3_scale(-1, EL)));
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? -1 : 1;
    xs_row_stiffness_add(H, ld, inner[k], 3, XS_ROD_INNER_A, 3, xs_mat3_scale(sign, by_a));
    xs_row_stiffness_add(H, ld, inner[k], 3, XS_ROD_INNER_B, 3, xs_mat3_scale(sign, by_b));
  }
}

/* ---- Elements ---- */

void xs_rod_stiffness_element(const xs_row_block *block, const xs_pose *x, const double *s,
                              double *H) {
  const xs_rod_element *data = block->data;
  const xs_rod *rod = data->rod;
  const int n = block->n_nodes, reference = xs_rod_reference(n), ld = 6 * (n + 1);
  const xs_rod_shape *shape = XS_ROD_GAUSS_SHAPE[n - 2][rod->n_gauss - 1];
  double wide[36 * (NODES + 1) * (NODES + 1)];
  xs_rod_rotation rotation;
  sums sum;
  x += block->node[0];
  memset(&sum, 0, sizeof sum);
  memset(wide, 0, sizeof wide);
  if (n == 2)
    xs_rod_rotate(x, 2, &rotation);
  else if (n == 3)
    xs_rod_rotate(x, 3, &rotation);
  else
    xs_rod_rotate(x, 4, &rotation);
  for (int g = 0; g < rod->n_gauss; g++) {
    const point p = point_at(x, &rotation, n, 1 / rod->element_length, &shape[g]);
    add_point(&p, n, acting(rod->K_shear, s + 6 * g), acting(rod->K_bend, s + 6 * g + 3), &sum);
  }

  put_on_nodes(&rotation, n, &sum, wide, ld);
  if (reference == XS_ROD_HALF_WAY) {
    pass_half_way(&rotation, n, on_reference(&rotation, n, &sum), wide, ld);
  } else {
    const xs_mat3 all = xs_mat3_identity();
    pass_on(wide, n, ld, reference, &all, 0);
    pass_on(wide, n, ld, reference, &all, 1);
  }
  for (int j = 0; j < 6 * n; j++) memcpy(H + 6 * n * j, wide + ld * j, (size_t)(6 * n) * sizeof *H);
}
