/* Vectors of two and four doubles for inner loops: lanes are added and multiplied one by one, so
 * code for AVX2 and for two lanes a register gives the same bits.
 *
 * Macros, not functions: how four lanes are handed to a function depends on the processor. */
#ifndef XS_MATH_LANES_H
#define XS_MATH_LANES_H

typedef double xs_lanes2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double xs_lanes4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Two or four doubles in memory, aligned as doubles are. */
#define XS_LANES2(p)       (*(xs_lanes2 *)(p))
#define XS_LANES4(p)       (*(xs_lanes4 *)(p))
#define XS_CONST_LANES2(p) (*(const xs_lanes2 *)(p))
#define XS_CONST_LANES4(p) (*(const xs_lanes4 *)(p))

/* W = w G, n numbers. */
static inline void xs_lanes_scale(int n, double w, const double *G, double *W) {
  int i = 0;
  for (; i + 2 <= n; i += 2) XS_LANES2(W + i) = w * XS_CONST_LANES2(G + i);
  for (; i < n; i++) W[i] = w * G[i];
}

/* sum a_i b_i: of four and two numbers lane by lane, then the lanes, then what is left over. */
static inline double xs_lanes_dot(int n, const double *a, const double *b) {
  xs_lanes4 upper = {0};
  xs_lanes2 lower = {0};
  int i = 0;
  for (; i + 6 <= n; i += 6) {
    upper += XS_CONST_LANES4(a + i) * XS_CONST_LANES4(b + i);
    lower += XS_CONST_LANES2(a + i + 4) * XS_CONST_LANES2(b + i + 4);
  }
  double sum = ((upper[0] + upper[2]) + (upper[1] + upper[3])) + (lower[0] + lower[1]);
  for (; i < n; i++) sum += a[i] * b[i];
  return sum;
}

#endif
