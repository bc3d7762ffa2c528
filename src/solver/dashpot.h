/* Dashpots on the free coordinates of joints: joint damping, and drives towards a rate. */
#ifndef XS_SOLVER_DASHPOT_H
#define XS_SOLVER_DASHPOT_H

#include "model/world.h"

/* Pulls with -damping (qdot - weight rate(t)); infinite damping sets the rate. */
typedef struct xs_dashpot {
  double damping; /* N s/m, N m s; 0: none */
  double weight;  /* of the drive's rate in the rate aimed at */
  const xs_timefn *rate;
} xs_dashpot;

/* Whether any coordinate of the joint has one. */
int xs_dashpot_wanted(const xs_joint *joint);

/* On coordinate i, the joint's dashpot (rate 0) and the drive's as one. */
xs_dashpot xs_dashpot_of(const xs_joint *joint, int i);

#endif
