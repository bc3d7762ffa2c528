/* Places that data have left (io/result_places.h) against a map of all bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "io/result_places.h"

enum { LENGTH = 4096 };

typedef enum state { USED, WAITING, FREE } state;

static xs_result_places places;
static unsigned char map[LENGTH];

static void teardown(void) { xs_result_places_free(&places); }
TestSuite(result_places, .fini = teardown);

static void leave(uint64_t address, uint64_t size) {
  memset(map + address, WAITING, size);
  xs_result_places_leave(&places, (xs_result_place){address, size});
}

static void settle(void) {
  for (size_t i = 0; i < LENGTH; i++)
    if (map[i] == WAITING) map[i] = FREE;
  xs_result_places_settle(&places);
}

Test(result_places, wait_for_the_commit) {
  leave(64, 32);
  cr_assert_eq(xs_result_places_take(&places, 32), 0, "taken before the commit");
  settle();
  cr_assert_eq(xs_result_places_take(&places, 32), 64);
  cr_assert_eq(xs_result_places_take(&places, 32), 0, "taken twice");
}

Test(result_places, smallest_that_has_room_is_taken) {
  leave(64, 80);
  leave(512, 40);
  leave(1024, 42);
  settle();
  cr_assert_eq(xs_result_places_take(&places, 41), 1024);
  cr_assert_eq(xs_result_places_take(&places, 38), 512);
}

Test(result_places, large_ones_wait_for_what_fills_them) {
  leave(64, 64);
  settle();
  cr_assert_eq(xs_result_places_take(&places, 48), 0);
  cr_assert_eq(xs_result_places_take(&places, 60), 64);
}

Test(result_places, any_order_gives_only_free_bytes) {
  enum { TURNS = 20000, PIECES = 64, SIZE = LENGTH / PIECES };
  uint64_t start[PIECES];
  size_t n = 0, taken = 0, refused = 0;
  /* All of it, in pieces, is in use at the beginning; byte 0 is never given. */
  for (; n < PIECES - 1; n++) start[n] = (n + 1) * SIZE;
  for (int turn = 0; turn < TURNS; turn++) {
    const int what = rand() % 8;
    if (what < 3 && n > 0) {
      const size_t i = (size_t)rand() % n;
      leave(start[i], SIZE);
      start[i] = start[--n];
    } else if (what == 3) {
      settle();
    } else {
      const uint64_t size = SIZE - (uint64_t)rand() % 7;
      const uint64_t given = xs_result_places_take(&places, size);
      if (given == 0) {
        cr_assert_eq(memchr(map, FREE, LENGTH), NULL, "a free place was not found");
        refused++;
        continue;
      }
      for (uint64_t i = 0; i < SIZE; i++)
        cr_assert_eq(map[given + i], FREE, "given twice, or before the commit");
      memset(map + given, USED, SIZE);
      start[n++] = given;
      taken++;
    }
  }
  cr_assert(taken > 1000 && refused > 1000, "%zu taken, %zu refused", taken, refused);
}
