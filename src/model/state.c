/* The state at t = 0, and the table of its arrays that checkpoints are made from. */
#include "model/state.h"

#include <assert.h>
#include <stddef.h>

#include "math/so3.h"

_Static_assert(sizeof(xs_vec3) == 3 * sizeof(double) && sizeof(xs_quat) == 4 * sizeof(double) &&
                   sizeof(xs_turn) == 3 * sizeof(double) && sizeof(xs_pose) % sizeof(double) == 0,
               "a checkpoint walks over these as doubles");

xs_status xs_state_create(const xs_world *world, xs_arena *arena, xs_state **state,
                          xs_report *report) {
  xs_state *s = XS_ARENA_NEW(arena, xs_state, 1);
  *state = s;
  if (s != NULL) {
    s->n_nodes = world->n_nodes;
    s->n_joints = world->n_joints;
    s->x = XS_ARENA_NEW(arena, xs_pose, s->n_nodes);
    s->v = XS_ARENA_NEW(arena, xs_vec3, s->n_nodes);
    s->omega = XS_ARENA_NEW(arena, xs_vec3, s->n_nodes);
    s->turn = XS_ARENA_NEW(arena, xs_turn, s->n_joints);
  }
  if (s == NULL || s->x == NULL || s->v == NULL || s->omega == NULL || s->turn == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the state of %d nodes",
                           world->n_nodes);

  /* The ground, then the bodies and rods; joints unturned. */
  s->x[XS_GROUND].q = xs_quat_identity();
  for (int i = 0; i < world->n_bodies; i++) {
    const xs_body *body = &world->bodies[i];
    s->x[body->node].p = body->p0;
    s->x[body->node].q = body->q0;
    s->v[body->node] = body->v0;
    s->omega[body->node] = body->omega0;
  }
  for (int r = 0; r < world->n_rods; r++)
    for (int i = world->rods[r].first_node; i < world->rods[r].first_node + world->rods[r].n_nodes;
         i++) {
      s->x[i].p = world->start[i].p;
      s->x[i].q = world->start[i].q;
      s->v[i] = world->start[i].v;
      s->omega[i] = world->start[i].omega;
    }
  for (int j = 0; j < s->n_joints; j++) s->turn[j] = (xs_turn){.c = 1};
  xs_state_loaded(s);
  return XS_OK;
}

int xs_state_persist(xs_state *state, xs_persist list[XS_STATE_PERSIST_MAX]) {
  const int pose = (int)(sizeof(xs_pose) / sizeof(double)), n = state->n_nodes;
  const xs_persist all[] = {
      {"position", "m", "centre of mass of each node, world", &state->x[0].p.x, n, 3, pose},
      {"orientation", "1", "quaternion (w, x, y, z) of each node frame", &state->x[0].q.w, n, 4,
       pose},
      {"linear_velocity", "m/s", "velocity of each centre of mass, world", &state->v[0].x, n, 3, 3},
      {"angular_velocity", "rad/s", "angular velocity of each node, node frame", &state->omega[0].x,
       n, 3, 3},
      {"turn", "1", "half-angle cosine, sine and double turns of each joint", (double *)state->turn,
       state->n_joints, 3, 3},
  };
  enum { COUNT = sizeof all / sizeof all[0] };
  static_assert((int)COUNT <= (int)XS_STATE_PERSIST_MAX, "a caller's list has no more room");
  for (int i = 0; i < COUNT; i++) list[i] = all[i];
  return COUNT;
}

void xs_state_loaded(xs_state *state) {
  for (int i = 0; i < state->n_nodes; i++) state->x[i].R = xs_so3_matrix(state->x[i].q);
}

double xs_state_time(const xs_world *world, const xs_state *state) {
  return (double)state->step * world->time.step;
}
