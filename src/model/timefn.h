/* Functions of time: prescribed loads, targets and motions.
 *
 * A scene may give, wherever a value may change with time: a number, a ramp, a sine, a
 * table, or sums and products of these. A function is an immutable tree, built once by
 * the scene builder from an arena; evaluation allocates nothing and uses only
 * + - * / sqrt and the sine of math/trig.h, so that it has the same bits everywhere. */
#ifndef XS_MODEL_TIMEFN_H
#define XS_MODEL_TIMEFN_H

typedef enum xs_timefn_kind {
  XS_TIMEFN_CONSTANT,
  XS_TIMEFN_RAMP,
  XS_TIMEFN_SINE,
  XS_TIMEFN_TABLE,
  XS_TIMEFN_SUM,
  XS_TIMEFN_PRODUCT
} xs_timefn_kind;

typedef struct xs_timefn xs_timefn;

struct xs_timefn {
  xs_timefn_kind kind;
  union {
    double constant;
    struct {
      double from, to, start, end; /* value before start, after end; s; end > start */
      int smooth;                  /* 3 s^2 - 2 s^3 instead of s */
    } ramp;
    struct {
      double offset, amplitude, frequency,
          phase; /* offset + amplitude sin(2 pi frequency t + phase); Hz, rad */
    } sine;
    struct {
      int n;                      /* >= 2 */
      const double *time, *value; /* strictly increasing times, s; constant outside */
      const double *slope;        /* NULL: linear. Else nodal slopes of the natural cubic spline */
    } table;
    struct {
      int n;
      const xs_timefn *const *term;
    } terms; /* sum, product */
  } u;
};

/* A function of time for each component of a vector; NULL = 0. */
typedef struct xs_timefn3 {
  const xs_timefn *x, *y, *z;
} xs_timefn3;

/* Value at time t (s); f = NULL gives 0. */
double xs_timefn_value(const xs_timefn *f, double t);

/* First derivative with respect to time at t (1/s); at a kink, the one from the right. */
double xs_timefn_rate(const xs_timefn *f, double t);

/* Fills slope[n] of the natural cubic spline through (time, value); n >= 2, work[n]. */
void xs_timefn_spline_slopes(int n, const double *time, const double *value, double *slope,
                             double *work);

#endif
