/* Weak copies of three functions of the model layer, for a library that is built without it. */
#ifndef XS_TESTS_RESULT_MODEL_H
#define XS_TESTS_RESULT_MODEL_H

#include <math.h>

#include "model/state.h"

__attribute__((weak)) long long xs_world_steps(const xs_world *world) {
  return llround(world->time.duration / world->time.step);
}
__attribute__((weak)) double xs_state_time(const xs_world *world, const xs_state *state) {
  return (double)state->step * world->time.step;
}
__attribute__((weak)) void xs_state_loaded(xs_state *state) { (void)state; }

#endif
