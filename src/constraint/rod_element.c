/* Finite elements of a rod: strains at Gauss points and their gradients.
 *
 *   p' = sum c_j p_j,  theta = sum phi_j Theta_j,  theta' = sum c_j Theta_j,  c_j = phi_j'/l
 *   R = R_ref Exp(theta),   v = R^T p',   u = Gamma(theta) theta'
 * (Theta_j: rod_rotation.h.) By a body rotation of node j, D:
 *   D R = X_j = phi_j Gamma Gamma_j^-1      D u = Y_j = (c_j Gamma + phi_j H) Gamma_j^-1
 *   D v = hat(v) X_j,                       H = d(Gamma(theta) theta')/dtheta
 * and by the reference, which carries all nodes' logarithms:
 *   X_ref = Exp(theta)^T - Gamma S,         S  = sum phi_j Gamma_j^-T
 *   Y_ref = -(Gamma S' + H S),              S' = sum c_j Gamma_j^-T
 * Form (99) of Tobin & Rucker after Jelenic & Crisfield; exactly objective. */
#include "constraint/rod_element.h"
#include "constraint/rod_stiffness.h"

#include "constraint/rod_rotation.h"
#include "constraint/rod_rows.h"
#include "constraint/rod_shape.h"

/* ---- Strains ---- */

/* An element at given poses. */
typedef struct element {
  const xs_pose *x; /* of its nodes */
  double inv_length;
  xs_rod_rotation rotation;
} element;

/* Functions of |theta|^2 (so3.h). */
typedef struct coefficients {
  double A, B, D, dB, dD;
} coefficients;

/* A Gauss point. */
typedef struct point {
  double c[XS_ROD_ELEMENT_NODES_MAX]; /* phi_j'/l */
  xs_vec3 theta, theta_s;             /* theta, theta' */
  xs_vec3 cross, cross2;              /* theta x theta', theta x (theta x theta') */
  coefficients k;
  xs_mat3 E, R; /* Exp(theta), R(xi) */
  xs_vec3 v, u;
} point;

/* One branch for all, taken only when interpolation leaves the range of logarithms. */
XS_INLINE coefficients coefficients_at(double t2) {
  coefficients k;
  double cosine, sine = xs_so3_half_angle(t2, &cosine);
  k.A = 2 * sine * cosine;
  k.B = 2 * sine * sine;
  k.D = xs_so3_coef_D(t2);
  k.dB = xs_so3_coef_dB(t2);
  k.dD = xs_so3_coef_dD(t2);
  return k;
}

XS_INLINE void point_strains(const element *e, const xs_rod_shape *shape, int n, point *p) {
  const xs_rod_rotation *rotation = &e->rotation;
  xs_vec3 p_s = {0, 0, 0};
  p->theta = p->theta_s = p_s;

  /* Interpolation. Positions by differences, which far from the origin are exact or nearly
   * so; sum c_j = 0. */
  XS_UNROLL
  for (int j = 0; j < n; j++) {
    p->c[j] = shape->dphi[j] * e->inv_length;
    if (j > 0) p_s = xs_vec3_add_scaled(p_s, p->c[j], xs_vec3_sub(e->x[j].p, e->x[0].p));
    if (j == xs_rod_reference(n)) continue;
    p->theta = xs_vec3_add_scaled(p->theta, shape->phi[j], rotation->Theta[j]);
    p->theta_s = xs_vec3_add_scaled(p->theta_s, p->c[j], rotation->Theta[j]);
  }

  p->k = coefficients_at(xs_vec3_norm2(p->theta));
  p->E = xs_so3_polynomial(p->theta, p->k.A, p->k.B);
  p->R = xs_mat3_mul(rotation->R_ref, p->E);
  p->v = xs_mat3_tmul_vec(&p->R, p_s);

  p->cross = xs_vec3_cross(p->theta, p->theta_s);
  p->cross2 = xs_vec3_cross(p->theta, p->cross);
  p->u = xs_vec3_add_scaled(p->theta_s, -p->k.B, p->cross);
  p->u = xs_vec3_add_scaled(p->u, p->k.D, p->cross2);
}

/* ---- Gradients ---- */

/* H(theta, theta') of so3.h, from what the point has. */
XS_INLINE xs_mat3 point_H(const point *p) {
  xs_vec3 left = xs_vec3_scale(-p->k.dB, p->cross);
  left = xs_vec3_add_scaled(left, p->k.dD, p->cross2);
  left = xs_vec3_add_scaled(left, -2 * p->k.D, p->theta_s);
  xs_vec3 D_theta = xs_vec3_scale(p->k.D, p->theta);

  xs_mat3 H = xs_mat3_hat(xs_vec3_scale(p->k.B, p->theta_s));
  H = xs_mat3_add(H, xs_mat3_outer(D_theta, p->theta_s));
  H = xs_mat3_add(H, xs_mat3_outer(left, p->theta));
  double diagonal = xs_vec3_dot(D_theta, p->theta_s);
  for (int i = 0; i < 3; i++) H.m[i][i] += diagonal;
  return H;
}

/* Derivatives by a body rotation. */
typedef struct turned {
  xs_mat3 X, Y;
} turned;

XS_INLINE turned by_reference(const element *e, const xs_rod_shape *shape, int n, const point *p,
                              const xs_mat3 *Gamma, const xs_mat3 *H) {
  xs_mat3 S = {{{0}}}, S_s = {{{0}}}; /* S^T and S'^T of the file's head */
  XS_UNROLL
  for (int j = 0; j < n; j++) {
    if (j == xs_rod_reference(n)) continue;
    xs_rod_add_scaled(&S, shape->phi[j], &e->rotation.Gi[j]);
    xs_rod_add_scaled(&S_s, p->c[j], &e->rotation.Gi[j]);
  }
  xs_mat3 X = xs_mat3_transpose(p->E), Y = xs_mat3_mult(*Gamma, S_s);
  xs_mat3 GS = xs_mat3_mult(*Gamma, S), HS = xs_mat3_mult(*H, S);
  xs_rod_add_scaled(&X, -1, &GS);
  xs_rod_add_scaled(&Y, 1, &HS);
  return (turned){X, xs_mat3_scale(-1, Y)};
}

XS_INLINE turned by_node(const element *e, const xs_rod_shape *shape, int j, const point *p,
                         const xs_mat3 *Gamma, const xs_mat3 *H) {
  xs_mat3 X = xs_mat3_mul(*Gamma, e->rotation.Gi[j]), HG = xs_mat3_mul(*H, e->rotation.Gi[j]);
  xs_mat3 Y = xs_mat3_scale(p->c[j], X);
  xs_rod_add_scaled(&Y, shape->phi[j], &HG);
  return (turned){xs_mat3_scale(shape->phi[j], X), Y};
}

/* Writes the six rows of a Gauss point. */
XS_INLINE void point_rows(const element *e, const xs_rod_shape *shape, int n, xs_vec3 rest_bend,
                          const xs_rod_rows *rows) {
  int reference = xs_rod_reference(n);
  point p;
  point_strains(e, shape, n, &p);
  xs_rod_rows_strain(rows, p.v, p.u, rest_bend);

  xs_mat3 Gamma = xs_so3_polynomial(p.theta, -p.k.B, p.k.D), H = point_H(&p);
  turned ref = by_reference(e, shape, n, &p, &Gamma, &H);
  xs_vec3 half_s = {0, 0, 0};
  if (reference == XS_ROD_HALF_WAY) half_s = xs_vec3_scale(0.5, e->rotation.s);

  XS_UNROLL
  for (int j = 0; j < n; j++) {
    turned by = j == reference ? ref : by_node(e, shape, j, &p, &Gamma, &H);
    if (reference == XS_ROD_HALF_WAY && (j == XS_ROD_INNER_A || j == XS_ROD_INNER_B)) {
      double sign = j == XS_ROD_INNER_A ? -1 : 1;
      xs_rod_add_share(&by.X, &ref.X, half_s, sign);
      xs_rod_add_share(&by.Y, &ref.Y, half_s, sign);
    }
    xs_mat3 V = xs_rod_rows_cross(p.v, &by.X);
    xs_rod_rows_position(rows, j, p.c[j], &p.R);
    xs_rod_rows_rotation(rows, j, &V, &by.Y);
  }
}

/* ---- Blocks ---- */

XS_INLINE void start(const xs_rod *rod, const xs_pose *x, int n, element *e) {
  e->x = x;
  e->inv_length = 1 / rod->element_length;
  xs_rod_rotate(x, n, &e->rotation);
}

/* Inlined with n constant. */
XS_INLINE void evaluate(const xs_row_block *block, const xs_pose *x, int n, int first, int count,
                        double *C, double *G) {
  const xs_rod_element *data = block->data;
  const xs_rod *rod = data->rod;
  const xs_rod_shape *shape = XS_ROD_GAUSS_SHAPE[n - 2][rod->n_gauss - 1];
  const xs_vec3 *rest_bend = rod->rest_bend + data->index * rod->n_gauss;
  element e;
  start(rod, x + block->node[0], n, &e);

  if (count == block->n_rows) {
    for (int g = 0; g < rod->n_gauss; g++) {
      xs_rod_rows rows = {C + 6 * g, G + 6 * g, count};
      point_rows(&e, &shape[g], n, rest_bend[g], &rows);
    }
  } else {
    double C6[6], G6[6 * 6 * XS_ROD_ELEMENT_NODES_MAX];
    xs_rod_rows rows = {C6, G6, 6};
    for (int g = first / 6; 6 * g < first + count; g++) {
      point_rows(&e, &shape[g], n, rest_bend[g], &rows);
      xs_rod_rows_copy(&rows, g, n, first, count, C, G);
    }
  }
  xs_rod_rows_leave_out(rod, n, first, count, C, G);
}

void xs_rod_element_evaluate_linear(const xs_row_block *block, const xs_pose *x, int first,
                                    int count, double *C, double *G) {
  evaluate(block, x, 2, first, count, C, G);
}

static void evaluate_quadratic(const xs_row_block *block, const xs_pose *x, int first, int count,
                               double *C, double *G) {
  evaluate(block, x, 3, first, count, C, G);
}

static void evaluate_cubic(const xs_row_block *block, const xs_pose *x, int first, int count,
                           double *C, double *G) {
  evaluate(block, x, 4, first, count, C, G);
}

/* n_rows: with reduced integration; a block has 6 n_gauss of its rod. */
const xs_row_kind xs_rod_kind_quadratic = {.name = "rod element, quadratic",
                                           .n_rows = 12,
                                           .n_nodes = 3,
                                           .turns_in_sixes = 1,
                                           .evaluate = evaluate_quadratic,
                                           .stiffness = xs_rod_stiffness_element};
const xs_row_kind xs_rod_kind_cubic = {.name = "rod element, cubic",
                                       .n_rows = 18,
                                       .n_nodes = 4,
                                       .turns_in_sixes = 1,
                                       .evaluate = evaluate_cubic,
                                       .stiffness = xs_rod_stiffness_element};

/* ---- Strains alone ---- */

/* Inlined with n constant. */
XS_INLINE void strains(const xs_rod *rod, const xs_pose *x, int n, const xs_vec3 *rest_bend,
                       xs_vec3 *shear, xs_vec3 *bend) {
  element e;
  start(rod, x, n, &e);
  for (int g = 0; g < rod->n_gauss; g++) {
    point p;
    point_strains(&e, &XS_ROD_GAUSS_SHAPE[n - 2][rod->n_gauss - 1][g], n, &p);
    shear[g] = (xs_vec3){p.v.x, p.v.y, p.v.z - 1};
    bend[g] = xs_vec3_sub(p.u, rest_bend[g]);
  }
}

void xs_rod_element_strains(const xs_rod *rod, const xs_pose *x, const xs_vec3 *rest_bend,
                            xs_vec3 *shear, xs_vec3 *bend) {
  switch (xs_rod_element_nodes(rod->discretization)) {
    case 2:
      strains(rod, x, 2, rest_bend, shear, bend);
      break;
    case 3:
      strains(rod, x, 3, rest_bend, shear, bend);
      break;
    default:
      strains(rod, x, 4, rest_bend, shear, bend);
  }
}
