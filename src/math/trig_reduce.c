/* Reduction of huge arguments to [-pi/4, pi/4] (Payne and Hanek).
 *
 * x = m 2^e with a 53-bit integer m. Of the binary digits of 2/pi those before place
 * e - 1 give multiples of 4 in x (2/pi) and are dropped; 192 digits from there on give
 *   x (2/pi) mod 4 = (m W mod 2^192) 2^-190,
 * two bits of quadrant and 190 of fraction, wrong by at most 2^-137. No double comes
 * closer than 2^-61 to a multiple of pi/2, which leaves 76 correct bits at worst. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/trig.h"

typedef unsigned __int128 uint128;

/* Binary digits of 2/pi after the point, behind 64 zeros for exponents below 1. */
static const uint64_t two_over_pi[] = {0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
                                       0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
                                       0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                       0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                       0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
                                       0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea,
                                       0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/* 64 digits from the given place of the table on, counted from 0. */
static uint64_t digits_from(int place) {
  int word = place / 64, shift = place % 64;
  if (shift == 0) return two_over_pi[word];
  return two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

/* product = (m times the 192 digits from the given place on) mod 2^192, highest word first */
static void multiply_digits(uint64_t m, int place, uint64_t product[3]) {
  uint128 low = (uint128)m * digits_from(place + 128);
  uint128 middle = (uint128)m * digits_from(place + 64) + (uint64_t)(low >> 64);
  uint64_t high = m * digits_from(place) + (uint64_t)(middle >> 64);
  product[0] = high, product[1] = (uint64_t)middle, product[2] = (uint64_t)low;
}

/* Negates a 192-bit number, highest word first. */
static void negate(uint64_t f[3]) {
  f[2] = ~f[2] + 1;
  f[1] = ~f[1] + (f[2] == 0);
  f[0] = ~f[0] + (f[2] == 0 && f[1] == 0);
}

/* 2^n for -1022 <= n <= 1023 */
static double power_of_two(int n) {
  uint64_t bits = (uint64_t)(n + 1023) << 52;
  double power;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* hi + lo = (f 2^-192) 2 pi, for f below 2^189 (an angle below pi/4). */
static void fraction_to_angle(const uint64_t f[3], double *hi, double *lo) {
  /* The first 128 bits from the leading one on; 61 zeros at most go before the rest. */
  uint64_t word[4] = {f[0], f[1], f[2], 0};
  int skipped = word[0] == 0;
  const uint64_t *first = word + skipped;
  int zeros = __builtin_clzll(first[0] | 1);
  uint64_t top = first[0], next = first[1];
  if (zeros > 0) {
    top = top << zeros | next >> (64 - zeros);
    next = next << zeros | first[2] >> (64 - zeros);
  }

  /* As two doubles of 53 bits: turns = (a + b) 2^exponent. */
  int exponent = -64 * (1 + skipped) - zeros;
  double a = (double)(top >> 11);
  double b = (double)((top & 0x7ff) << 42 | next >> 22) * 0x1p-53;
  a *= 0x1p+11, b *= 0x1p+11;

  /* Times 2 pi, itself in two doubles. */
  double error, product = xs_trig_two_product(a, 2 * XS_PI, &error);
  error += a * 0x1.1a62633145c07p-52 + b * (2 * XS_PI);
  double sum = product + error, scale = power_of_two(exponent);
  *hi = sum * scale;
  *lo = ((product - sum) + error) * scale;
}

int xs_trig_reduce(double x, double *hi, double *lo) {
  if (!isfinite(x)) {
    *hi = *lo = x - x;
    return 0;
  }

  /* x = +-m 2^exponent */
  uint64_t bits, f[3];
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;

  /* Digit i of 2/pi (from 1) is at place i + 63 of the table; start at i = exponent - 1. */
  multiply_digits(m, exponent + 62, f);

  /* Nearest multiple of pi/2, and the signed rest in units of a turn. */
  int quadrant = (int)((f[0] + ((uint64_t)1 << 61)) >> 62);
  f[0] -= (uint64_t)quadrant << 62;
  int negative = (int)(f[0] >> 63);
  if (negative) negate(f);
  fraction_to_angle(f, hi, lo);

  if (negative) *hi = -*hi, *lo = -*lo;
  if (x < 0) *hi = -*hi, *lo = -*lo, quadrant = -quadrant;
  return quadrant & 3;
}
