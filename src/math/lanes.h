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

#endif
