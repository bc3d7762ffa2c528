/* Lagrange polynomials of rod elements and Gauss points, on xi = (s - s_i) / l in [0, 1].
 *
 * Elements have n = 2, 3 or 4 equispaced nodes, node j at xi_j = j / (n - 1):
 *   p(xi) = sum phi_j(xi) p_j,   p' = (1/l) sum phi_j'(xi) p_j
 * (Tobin & Rucker, section 6). The polynomials are macros of xi, so that their values at
 * the Gauss points are tables that the compiler fills. Quadrature of m points is exact up
 * to degree 2 m - 1; weights sum to 1. Reduced integration is m = n - 1, full is m = n. */
#ifndef XS_CONSTRAINT_ROD_SHAPE_H
#define XS_CONSTRAINT_ROD_SHAPE_H

#include <assert.h>

#include "constraint/rod.h"

/* phi_j and dphi_j/dxi at one point; nodes that the element does not have: 0. */
typedef struct xs_rod_shape {
  double phi[XS_ROD_ELEMENT_NODES_MAX], dphi[XS_ROD_ELEMENT_NODES_MAX];
} xs_rod_shape;

/* ---- Polynomials of 2, 3 and 4 nodes ---- */

#define XS_ROD_PHI_2(x)  1 - (x), (x)
#define XS_ROD_DPHI_2(x) -1, 1

#define XS_ROD_PHI_3(x)  (1 - (x)) * (1 - 2 * (x)), 4 * (x) * (1 - (x)), (x) * (2 * (x)-1)
#define XS_ROD_DPHI_3(x) 4 * (x)-3, 4 - 8 * (x), 4 * (x)-1

#define XS_ROD_PHI_4(x)                                                                   \
  0.5 * (1 - (x)) * (1 - 3 * (x)) * (2 - 3 * (x)), 4.5 * (x) * (1 - (x)) * (2 - 3 * (x)), \
      4.5 * (x) * (1 - (x)) * (3 * (x)-1), 0.5 * (x) * (3 * (x)-1) * (3 * (x)-2)
#define XS_ROD_DPHI_4(x)                                                                   \
  (x) * (18 - 13.5 * (x)) - 5.5, (x) * (40.5 * (x)-45) + 9, (x) * (36 - 40.5 * (x)) - 4.5, \
      (x) * (13.5 * (x)-9) + 1

/* An xs_rod_shape of n nodes at x. */
#define XS_ROD_SHAPE(n, x)                      \
  {                                             \
    {XS_ROD_PHI_##n(x)}, { XS_ROD_DPHI_##n(x) } \
  }

/* At any xi, for n nodes. */
static inline xs_rod_shape xs_rod_shape_at(int n, double xi) {
  assert(2 <= n && n <= XS_ROD_ELEMENT_NODES_MAX);
  if (n == 2) return (xs_rod_shape)XS_ROD_SHAPE(2, xi);
  if (n == 3) return (xs_rod_shape)XS_ROD_SHAPE(3, xi);
  return (xs_rod_shape)XS_ROD_SHAPE(4, xi);
}

/* ---- Gauss points ---- */

/* 1/2 -+ sqrt(1/3)/2;  1/2 -+ sqrt(3/5)/2;  1/2 -+ sqrt(3/7 -+ 2/7 sqrt(6/5))/2 */
#define XS_ROD_XI_2_0 0.21132486540518712
#define XS_ROD_XI_2_1 0.78867513459481288
#define XS_ROD_XI_3_0 0.11270166537925831
#define XS_ROD_XI_3_2 0.88729833462074169
#define XS_ROD_XI_4_0 0.069431844202973712
#define XS_ROD_XI_4_1 0.33000947820757187
#define XS_ROD_XI_4_2 0.66999052179242813
#define XS_ROD_XI_4_3 0.93056815579702629

/* [m - 1][g] */
static const double XS_ROD_GAUSS_XI[XS_ROD_GAUSS_MAX][XS_ROD_GAUSS_MAX] = {
    {0.5},
    {XS_ROD_XI_2_0, XS_ROD_XI_2_1},
    {XS_ROD_XI_3_0, 0.5, XS_ROD_XI_3_2},
    {XS_ROD_XI_4_0, XS_ROD_XI_4_1, XS_ROD_XI_4_2, XS_ROD_XI_4_3},
};

/* 4/9 and 5/18; (18 +- sqrt(30))/72 */
static const double XS_ROD_GAUSS_WEIGHT[XS_ROD_GAUSS_MAX][XS_ROD_GAUSS_MAX] = {
    {1},
    {0.5, 0.5},
    {5.0 / 18, 4.0 / 9, 5.0 / 18},
    {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693},
};

/* The polynomials of n nodes at the Gauss points: [m - 1][g]. */
#define XS_ROD_SHAPES_1(n) XS_ROD_SHAPE(n, 0.5)
#define XS_ROD_SHAPES_2(n) XS_ROD_SHAPE(n, XS_ROD_XI_2_0), XS_ROD_SHAPE(n, XS_ROD_XI_2_1)
#define XS_ROD_SHAPES_3(n) \
  XS_ROD_SHAPE(n, XS_ROD_XI_3_0), XS_ROD_SHAPE(n, 0.5), XS_ROD_SHAPE(n, XS_ROD_XI_3_2)
#define XS_ROD_SHAPES_4(n)                                                                        \
  XS_ROD_SHAPE(n, XS_ROD_XI_4_0), XS_ROD_SHAPE(n, XS_ROD_XI_4_1), XS_ROD_SHAPE(n, XS_ROD_XI_4_2), \
      XS_ROD_SHAPE(n, XS_ROD_XI_4_3)

/* [n - 2][m - 1][g] */
static const xs_rod_shape XS_ROD_GAUSS_SHAPE[3][XS_ROD_GAUSS_MAX][XS_ROD_GAUSS_MAX] = {
    {{XS_ROD_SHAPES_1(2)}, {XS_ROD_SHAPES_2(2)}, {XS_ROD_SHAPES_3(2)}, {XS_ROD_SHAPES_4(2)}},
    {{XS_ROD_SHAPES_1(3)}, {XS_ROD_SHAPES_2(3)}, {XS_ROD_SHAPES_3(3)}, {XS_ROD_SHAPES_4(3)}},
    {{XS_ROD_SHAPES_1(4)}, {XS_ROD_SHAPES_2(4)}, {XS_ROD_SHAPES_3(4)}, {XS_ROD_SHAPES_4(4)}},
};

#endif
