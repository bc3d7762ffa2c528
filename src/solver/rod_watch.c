/* Watching rods (rod_watch.h). */
#include "solver/rod_watch.h"

#include <stdatomic.h>

#include "constraint/rod.h"

#define PI   3.14159265358979324
#define WARN (0.7 * PI)
#define STOP (0.95 * PI)

/* Whether any rod turns by more than is safe: threads' part. */
typedef struct pass {
  const xs_world *world;
  const xs_state *state;
  atomic_int any;
} pass;

static void look(void *pass_, int begin, int end) {
  pass *p = pass_;
  for (int r = begin; r < end; r++) {
    int element;
    if (!(xs_rod_largest_rotation(&p->world->rods[r], p->state->x, &element) <= WARN))
      atomic_store(&p->any, 1);
  }
}

xs_status xs_rod_watch(const xs_world *world, const xs_state *state, double t,
                       unsigned char *warned, xs_report *report) {
  pass p = {.world = world, .state = state};
  atomic_init(&p.any, 0);
  xs_pool_run(world->pool, world->n_rods, 1, look, &p);
  if (!atomic_load(&p.any)) return XS_OK;
  for (int r = 0; r < world->n_rods; r++) {
    const xs_rod *rod = &world->rods[r];
    int element = 0;
    const double angle = xs_rod_largest_rotation(rod, state->x, &element);
    if (angle > STOP)
      return xs_report_error(report, XS_DIVERGED, NULL,
                             "at t = %.9g s (step %lld): rod \"%s\", element %d turns by %.2f pi "
                             "from its reference, 0.95 pi is the limit of its interpolation; take "
                             "more elements",
                             t, (long long)state->step + 1, rod->name, element, angle / PI);
    if (angle > WARN && !warned[r]) {
      warned[r] = 1;
      xs_report_warning(report, NULL,
                        "at t = %.9g s: rod \"%s\", element %d turns by %.2f pi from its "
                        "reference; the run stops at 0.95 pi; more elements help",
                        t, rod->name, element, angle / PI);
    }
  }
  return XS_OK;
}
