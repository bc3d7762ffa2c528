/* The arena: alignment, zeroed memory, large pieces, overflow. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

Test(arena, pieces_are_aligned_zeroed_and_apart) {
  enum { N = 5000 };
  static unsigned char *piece[N];
  xs_arena arena = {0};

  /* Sizes from 1 to past a cache line; each piece is filled with its own pattern. */
  for (int i = 0; i < N; i++) {
    size_t size = (size_t)(i % 200 + 1);
    piece[i] = xs_arena_alloc(&arena, size, 1);
    cr_assert_not_null(piece[i]);
    cr_assert_eq((uintptr_t)piece[i] % 64, 0);
    for (size_t k = 0; k < size; k++) cr_assert_eq(piece[i][k], 0);
    memset(piece[i], i % 251 + 1, size);
  }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i % 200 + 1; k++) cr_assert_eq(piece[i][k], i % 251 + 1);
  xs_arena_free(&arena);
}

Test(arena, large_piece_leaves_the_rest_of_the_block_in_use) {
  xs_arena arena = {0};
  char *before = xs_arena_alloc(&arena, 1, 1);
  char *large = xs_arena_alloc(&arena, 10, 1 << 20);
  char *after = xs_arena_alloc(&arena, 1, 1);
  cr_assert_not_null(large);
  memset(large, 7, (size_t)10 << 20);
  cr_assert_eq(after - before, 64);
  cr_assert_eq(*after, 0);
  cr_assert_eq(arena.allocated, (10u << 20) + 128u);
  xs_arena_free(&arena);
}

Test(arena, large_piece_first) {
  xs_arena arena = {0};
  cr_assert_not_null(xs_arena_alloc(&arena, 1 << 20, 1));
  cr_assert_not_null(xs_arena_alloc(&arena, 1, 1));
  xs_arena_free(&arena);
}

Test(arena, overflow_and_exhaustion_give_null) {
  xs_arena arena = {0};
  cr_assert_null(xs_arena_alloc(&arena, SIZE_MAX, 2));
  cr_assert_null(xs_arena_alloc(&arena, SIZE_MAX, 1));
  cr_assert_null(xs_arena_alloc(&arena, SIZE_MAX - 100, 1));
  cr_assert_null(xs_arena_alloc(&arena, SIZE_MAX / 4, 1));
  cr_assert_eq(arena.allocated, 0);
  xs_arena_free(&arena);
}

Test(arena, once_exhausted_gives_nothing_until_it_is_freed) {
  xs_arena arena = {0};
  cr_assert_not_null(xs_arena_alloc(&arena, 1, 1));
  cr_assert_null(xs_arena_alloc(&arena, SIZE_MAX / 4, 1));
  cr_assert_null(xs_arena_alloc(&arena, 1, 1));
  cr_assert_null(xs_arena_copy_text(&arena, "text"));
  xs_arena_free(&arena);
  cr_assert_not_null(xs_arena_alloc(&arena, 1, 1));
  xs_arena_free(&arena);
}

Test(arena, empty_pieces_have_addresses_of_their_own) {
  xs_arena arena = {0};
  void *a = xs_arena_alloc(&arena, 0, 8), *b = xs_arena_alloc(&arena, 8, 0);
  cr_assert(a && b && a != b);
  xs_arena_free(&arena);
}

Test(arena, copies_text_and_is_empty_after_free) {
  xs_arena arena = {0};
  cr_assert_str_eq(xs_arena_copy_text(&arena, "abc"), "abc");
  cr_assert_str_eq(xs_arena_copy_text(&arena, ""), "");
  xs_arena_free(&arena);
  cr_assert_null(arena.newest);
  cr_assert_eq(arena.allocated, 0);
  cr_assert_str_eq(xs_arena_copy_text(&arena, "again"), "again");
  xs_arena_free(&arena);
}
