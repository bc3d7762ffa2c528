/* Full unrolling of short loops whose trip count is constant after inlining.
 *
 * The small dense kernels (6 rows at most) are written with loops for any n and inlined
 * with n constant; unrolled, their arrays live in registers. Compilers judge these loops
 * too long to do so unasked. clang does well by itself, and takes a full unrolling that it
 * cannot do for an error. */
#ifndef XS_BASE_UNROLL_H
#define XS_BASE_UNROLL_H

#if defined(__GNUC__) && !defined(__clang__)
#define XS_UNROLL _Pragma("GCC unroll 16")
#else
#define XS_UNROLL
#endif

#define XS_INLINE static inline __attribute__((always_inline))

#endif
