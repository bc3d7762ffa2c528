/* Pending pieces of a file (io/result_pieces.h) against an array of all its bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/result_pieces.h"

enum { LENGTH = 600, NONE = -1 };

static xs_result_pieces pieces;
static int value[LENGTH], kind[LENGTH]; /* of each byte; NONE: nothing pending */
static unsigned char bytes[LENGTH];

static void setup(void) {
  for (int i = 0; i < LENGTH; i++) value[i] = kind[i] = NONE;
}
static void teardown(void) { xs_result_pieces_free(&pieces); }
TestSuite(result_pieces, .init = setup, .fini = teardown);

static void put(int of_kind, size_t address, size_t size) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (unsigned char)rand();
    value[address + i] = bytes[i];
    kind[address + i] = of_kind;
  }
  cr_assert(xs_result_pieces_put(&pieces, of_kind, address, size, bytes));
}

static void cut(size_t address, size_t size) {
  for (size_t i = 0; i < size; i++) value[address + i] = kind[address + i] = NONE;
  cr_assert(xs_result_pieces_cut(&pieces, address, size));
}

/* What is read of a range is what the array says, and its other bytes are left alone. */
static void expect_read(size_t address, size_t size) {
  unsigned char read[LENGTH + 2];
  memset(read, 0xa5, sizeof read);
  xs_result_pieces_lay_over(&pieces, address, size, read + 1);
  cr_assert(read[0] == 0xa5 && read[size + 1] == 0xa5);
  for (size_t i = 0; i < size; i++) {
    const int wanted = value[address + i];
    cr_assert_eq(read[i + 1], wanted == NONE ? 0xa5 : wanted);
  }
}

/* The list has every byte once, by address, with its kind; end is behind the last. */
static void expect_list(void) {
  xs_result_piece *const *list = xs_result_pieces_list(&pieces);
  size_t at = 0;
  for (size_t i = 0; i < pieces.n; i++) {
    cr_assert(list[i]->address >= at && list[i]->size > 0);
    for (; at < list[i]->address; at++) cr_assert_eq(value[at], NONE);
    for (size_t k = 0; k < list[i]->size; k++, at++) {
      cr_assert_eq(list[i]->bytes[k], value[at]);
      cr_assert_eq(list[i]->kind, kind[at]);
    }
  }
  cr_assert(pieces.end >= at);
  for (; at < LENGTH; at++) cr_assert_eq(value[at], NONE);
}

Test(result_pieces, hold_what_was_put_last) {
  cr_assert(xs_result_pieces_reserve(&pieces));
  for (int round = 0; round < 20000; round++) {
    const size_t size = 1 + (size_t)rand() % (round % 7 == 0 ? 200 : 12);
    const size_t address = (size_t)rand() % (LENGTH - size);
    if (rand() % 4 > 0)
      put(rand() % 3, address, size);
    else
      cut(address, size);
    expect_read(0, LENGTH);
    expect_read(address > 5 ? address - 5 : 0, size);
    if (round % 10 == 0) expect_list();
    if (round % 1000 == 999) {
      xs_result_pieces_clear(&pieces);
      setup();
      cr_assert(pieces.n == 0 && pieces.end == 0);
      expect_read(0, LENGTH);
    }
  }
}

Test(result_pieces, one_in_the_middle_of_another) {
  put(0, 100, 50);
  put(1, 120, 5);
  expect_list();
  cr_assert_eq(pieces.n, 3);
  cr_assert_eq(pieces.end, 150);
  cut(110, 30);
  expect_list();
  cr_assert_eq(pieces.n, 2);
  cut(0, LENGTH);
  cr_assert_eq(pieces.n, 0);
}

/* More than the room that was reserved. */
Test(result_pieces, more_than_was_reserved) {
  static unsigned char large[400000];
  unsigned char read[8];
  cr_assert(xs_result_pieces_reserve(&pieces));
  for (int round = 0; round < 3; round++) {
    for (unsigned i = 0; i < 6; i++) {
      large[5] = (unsigned char)(i + 1);
      cr_assert(xs_result_pieces_put(&pieces, 0, 1000000ULL * i, sizeof large, large));
    }
    for (unsigned i = 0; i < 6; i++) {
      xs_result_pieces_lay_over(&pieces, 1000000ULL * i + 5, 1, read);
      cr_assert_eq(read[0], i + 1);
    }
    cr_assert_eq(pieces.n, 6);
    xs_result_pieces_clear(&pieces);
  }
}

/* The same place again takes no more room. */
Test(result_pieces, the_same_piece_again) {
  for (int i = 0; i < 100; i++) put(2, 10, 8);
  cr_assert_eq(pieces.n, 1);
  expect_list();
}

Test(result_pieces, nothing) {
  cut(3, 0);
  expect_read(3, 0);
  expect_list();
  cr_assert_eq(pieces.end, 0);
}
