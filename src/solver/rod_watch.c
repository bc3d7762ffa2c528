/* Watching rods (rod_watch.h). */
#include "solver/rod_watch.h"

#include "constraint/rod.h"

#define PI   3.14159265358979324
#define WARN (0.7 * PI)
#define STOP (0.95 * PI)

xs_status xs_rod_watch(const xs_world *world, const xs_state *state, double t,
                       unsigned char *warned, xs_report *report) {
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
