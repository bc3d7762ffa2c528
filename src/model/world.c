/* Questions to a world. Building one from a scene is io/scene_build.c. */
#include "model/world.h"

#include <assert.h>
#include <math.h>

long long xs_world_steps(const xs_world *world) {
  return llround(world->time.duration / world->time.step);
}

const char *xs_world_node_name(const xs_world *world, int node) {
  assert(node >= 0 && node < world->n_nodes);
  if (node == XS_GROUND) return "ground";

  /* Bodies follow the ground in scene order, rods the bodies. */
  if (node <= world->n_bodies) {
    assert(world->bodies[node - 1].node == node);
    return world->bodies[node - 1].name;
  }
  int r = 0;
  while (node >= world->rods[r].first_node + world->rods[r].n_nodes) r++;
  return world->rods[r].name;
}

const char *xs_world_node_kind(const xs_world *world, int node) {
  return node == XS_GROUND ? "ground" : node <= world->n_bodies ? "body" : "rod";
}
