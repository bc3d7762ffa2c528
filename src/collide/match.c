/* Nearest local positions, one to one (match.h). */
#include "collide/match.h"

#include <math.h>
#include <string.h>

/* Of one side's core points, m. */
static double moved(const xs_contact_side *now, const xs_contact_side *old) {
  if (now->rod) return fabs(now->xi - old->xi) * now->rod->element_length;
  return xs_vec3_norm(xs_vec3_sub(now->core, old->core));
}

static double distance(const xs_contact *now, const xs_contact *old) {
  return fmin(moved(&now->side[0], &old->side[0]), moved(&now->side[1], &old->side[1])) +
         1e-3 * fmax(moved(&now->side[0], &old->side[0]), moved(&now->side[1], &old->side[1]));
}

/* The tangential force stays the same vector as far as it is tangential. */
static void continue_from(xs_contact *now, const xs_contact *old, int index) {
  xs_vec3 t = xs_vec3_add_scaled(xs_vec3_scale(old->lambda[1], old->t1), old->lambda[2], old->t2);
  now->match = index;
  now->lambda[0] = old->lambda[0];
  now->lambda[1] = xs_vec3_dot(t, now->t1);
  now->lambda[2] = xs_vec3_dot(t, now->t2);
}

void xs_match_pair(xs_contact *now, int n_now, const xs_contact *old, int n_old, int first_old,
                   double size, char *taken) {
  memset(taken, 0, (size_t)n_old);
  for (;;) {
    /* The nearest two that are left; equal ones in the order of the lists. */
    double nearest = XS_MATCH_NEAR * size;
    int best_now = -1, best_old = -1;
    for (int i = 0; i < n_now; i++) {
      if (now[i].match >= 0) continue;
      for (int j = 0; j < n_old; j++) {
        if (taken[j]) continue;
        double d = distance(&now[i], &old[j]);
        if (d < nearest) nearest = d, best_now = i, best_old = j;
      }
    }
    if (best_now < 0) return;
    continue_from(&now[best_now], &old[best_old], first_old + best_old);
    taken[best_old] = 1;
  }
}
