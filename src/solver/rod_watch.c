/* Watching rods (rod_watch.h). */
#include "solver/rod_watch.h"

#include <math.h>
#include <stdatomic.h>

#include "collide/exclude.h"
#include "constraint/rod.h"
#include "math/trig.h"

#define PI   3.14159265358979324
#define WARN (0.7 * PI)
#define STOP (0.95 * PI)

/* What a rod has been warned of. */
enum { TURNS = 1, BENDS = 2 };

/* From end to end of an element, m. */
static xs_vec3 chord(const xs_rod *rod, const xs_pose *x, int element) {
  const int nodes = (rod->n_nodes - 1) / rod->n_elements; /* that an element adds */
  const xs_pose *start = x + rod->first_node + element * nodes;
  return xs_vec3_sub(start[nodes].p, start->p);
}

/* The largest angle between the chords of two elements in a row, over that which the circle of the
 * rod's contact radius has there; element: the first of the two. Elements too long for that circle
 * are not looked at. */
static double tightest_bend(const xs_rod *rod, const xs_pose *x, int *element) {
  const double angle = rod->element_length / rod->contact_radius;
  double least = INFINITY; /* cosine */
  if (!(angle < PI)) return 0;
  for (int e = 0; e + 1 < rod->n_elements; e++) {
    const xs_vec3 u = chord(rod, x, e), v = chord(rod, x, e + 1);
    const double cosine = xs_vec3_dot(u, v) / sqrt(xs_vec3_norm2(u) * xs_vec3_norm2(v));
    if (cosine < least) least = cosine, *element = e;
  }
  if (!(least < 1)) return 0;
  least = fmax(-1, least);
  return xs_trig_atan2(sqrt((1 - least) * (1 + least)), least) / angle; /* C's acos has variants */
}

static int touches_itself(const xs_world *world) {
  return world->contact.enabled && world->contact.self_contact;
}

/* Whether any rod turns or bends by more than is safe: threads' part. */
typedef struct pass {
  const xs_world *world;
  const xs_state *state;
  atomic_int any;
} pass;

static void look(void *pass_, int begin, int end) {
  pass *p = pass_;
  for (int r = begin; r < end; r++) {
    const xs_rod *rod = &p->world->rods[r];
    int element;
    if (!(xs_rod_largest_rotation(rod, p->state->x, &element) <= WARN) ||
        (touches_itself(p->world) && tightest_bend(rod, p->state->x, &element) > 1))
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
    if (angle > WARN && !(warned[r] & TURNS)) {
      warned[r] |= TURNS;
      xs_report_warning(report, NULL,
                        "at t = %.9g s: rod \"%s\", element %d turns by %.2f pi from its "
                        "reference; the run stops at 0.95 pi; more elements help",
                        t, rod->name, element, angle / PI);
    }
    const double bend = touches_itself(world) ? tightest_bend(rod, state->x, &element) : 0;
    if (bend > 1 && !(warned[r] & BENDS)) {
      warned[r] |= BENDS;
      xs_report_warning(report, NULL,
                        "at t = %.9g s: rod \"%s\", elements %d and %d bend %.2f times as tight as "
                        "the rod is thick; it overlaps itself where self-contact does not look, "
                        "within %g diameters of arc, and may be pulled through itself; a stiffer "
                        "or thinner rod, or fewer turns, keep it apart",
                        t, rod->name, element, element + 1, bend, XS_EXCLUDE_ARC);
    }
  }
  return XS_OK;
}
