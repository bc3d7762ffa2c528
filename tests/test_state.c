/* The state at t = 0 and the arrays of its checkpoint. */
#include "model/state.h"

#include "scene_helpers.h"

static xs_state *make_state(loaded *l) {
  const xs_world *w = load_parts(
      l,
      "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 2, 2.5], \"position\": [1, 2, "
      "3], \"linear_velocity\": [4, 5, 6], \"angular_velocity\": [7, 8, 9], \"orientation\": "
      "{\"axis\": [0, 0, 1], \"angle\": {\"deg\": 90}}}], \"joints\": [{\"name\": \"j\", "
      "\"type\": \"revolute\", \"body2\": \"a\"}]");
  xs_state *state = NULL;
  cr_assert_eq(xs_state_create(w, &l->arena, &state, &l->report), XS_OK);
  return state;
}

Test(state, starts_as_the_world_says) {
  static loaded l;
  const xs_state *s = make_state(&l);
  cr_expect_eq(s->n_nodes, 2);
  cr_expect_eq(s->x[XS_GROUND].R.m[2][2], 1);
  cr_expect_eq(vec3_distance(s->x[1].p, xs_vec3_make(1, 2, 3)), 0);
  cr_expect_float_eq(s->x[1].R.m[1][0], 1, 1e-15);
  cr_expect_eq(vec3_distance(s->v[1], xs_vec3_make(4, 5, 6)), 0);
  cr_expect_eq(vec3_distance(s->omega[1], xs_vec3_make(7, 8, 9)), 0);
  cr_expect(s->turn[0].c == 1 && s->turn[0].s == 0 && s->turn[0].double_turns == 0);
  cr_expect_eq(xs_state_time(l.world, s), 0);
  xs_arena_free(&l.arena);
}

Test(state, time_is_step_times_step_size) {
  static loaded l;
  xs_state *s = make_state(&l);
  s->step = 250;
  cr_expect_eq(xs_state_time(l.world, s), 0.25);
  xs_arena_free(&l.arena);
}

Test(state, a_copy_through_the_persisted_arrays_is_complete) {
  static loaded from, to;
  xs_state *a = make_state(&from), *b = make_state(&to);
  a->x[1].q = (xs_quat){0.5, 0.5, 0.5, 0.5};
  a->x[1].p.y = 11, a->v[1].z = 12, a->omega[0].x = 13, a->turn[0].double_turns = 2;
  xs_state_loaded(a);

  /* Item by item, as a checkpoint does. */
  xs_persist out[XS_STATE_PERSIST_MAX], in[XS_STATE_PERSIST_MAX];
  const int n = xs_state_persist(a, out);
  cr_assert_eq(xs_state_persist(b, in), n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < out[i].items; k++)
      memcpy(in[i].data + k * in[i].stride, out[i].data + k * out[i].stride,
             (size_t)out[i].components * sizeof(double));
  xs_state_loaded(b);
  cr_expect_eq(memcmp(a->x, b->x, 2 * sizeof *a->x), 0);
  cr_expect_eq(memcmp(a->v, b->v, 2 * sizeof *a->v), 0);
  cr_expect_eq(memcmp(a->omega, b->omega, 2 * sizeof *a->omega), 0);
  cr_expect_eq(memcmp(a->turn, b->turn, sizeof *a->turn), 0);
  xs_arena_free(&from.arena);
  xs_arena_free(&to.arena);
}
