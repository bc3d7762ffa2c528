/* From the description of a joint to its dashpots (dashpot.h). */
#include "solver/dashpot.h"

#include <math.h>
#include <stddef.h>

int xs_dashpot_wanted(const xs_joint *joint) {
  if (joint->damping > 0) return 1;
  for (int i = 0; joint->target && i < joint->target->n; i++)
    if (joint->target->damping[i] > 0) return 1;
  return 0;
}

/* d (qdot - r) + d0 qdot = (d + d0) (qdot - d/(d + d0) r) */
xs_dashpot xs_dashpot_of(const xs_joint *joint, int i) {
  xs_dashpot d = {joint->damping, 0, NULL};
  if (!joint->target || !(joint->target->damping[i] > 0)) return d;
  const double drive = joint->target->damping[i];
  d.rate = joint->target->rate[i];
  d.weight = isinf(drive) ? 1 : drive / (drive + joint->damping);
  d.damping = drive + joint->damping;
  return d;
}
