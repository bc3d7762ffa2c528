/* Half-bandwidths of rods in systems: what is in the rods' islands, and how wide their bands are.
 * A cubic element has 18 rows, and an unbranched rod 35 (global.h). */
#include <criterion/criterion.h>

#include "io/scene.h"
#include "solver/global.h"
#include "solver/system_create.h"

/* The half-bandwidth of a scene's islands; all its rows have to be in them. */
static int half_bandwidth(const char *scene, const char *set) {
  xs_arena arena = {0};
  xs_report report = {0};
  xs_world *world;
  xs_state *state;
  xs_system system = {0};
  xs_global *global;
  xs_scene_source source;
  cr_assert_eq(xs_scene_load(scene, set != NULL, &set, &arena, &world, &source, &report), XS_OK,
               "%s", report.kept[0].text);
  cr_assert_eq(xs_state_create(world, &arena, &state, &report), XS_OK);
  cr_assert_eq(xs_system_create(world, state, &arena, &system, &report), XS_OK);
  cr_assert_eq(system.n_swept, 0);
  cr_assert_eq(xs_global_create(world, system.n_blocks, system.block, system.n_rows,
                                world->n_joints, &arena, &global, &report),
               XS_OK);
  const int width = xs_global_half_bandwidth(global);
  xs_arena_free(&arena);
  return width;
}

Test(global_systems, a_body_at_the_end_leaves_the_band_as_it_is) {
  cr_expect_eq(half_bandwidth("scenes/demo/rod_bob.json", NULL), 35);
}

Test(global_systems, corners_leave_the_band_as_it_is) {
  cr_expect_eq(half_bandwidth("scenes/rods/right_angle.json", NULL), 35);
  cr_expect_eq(half_bandwidth("scenes/rods/portal.json", NULL), 35);
}

Test(global_systems, a_ring_is_folded) {
  cr_expect_eq(half_bandwidth("scenes/rods/ring.json", NULL), 53);
}

/* A branch from a joint of elements or from inside one: half as wide again. */
Test(global_systems, a_branch_couples_two_elements_with_a_third) {
  cr_expect_eq(half_bandwidth("scenes/rods/right_angle.json", "joints.corner.body1.node=15"), 53);
  cr_expect_eq(half_bandwidth("scenes/rods/right_angle.json", "joints.corner.body1.node=16"), 53);
}
