/* The rows of a world as the steps of second order see them: those of position level, and the
 * free coordinates that have a dashpot or a driven rate behind them.
 *
 * Rates of the rows are  c(x, v, t) = G v + C_t - r:  C_t from moving frames and targets
 * (joint_rate.c), velocities of prescribed bodies in G v, r the rates that dashpots aim at. */
#ifndef XS_SOLVER_MECHANISM_H
#define XS_SOLVER_MECHANISM_H

#include "solver/dashpot.h"
#include "solver/global.h"

typedef enum xs_row_sort {
  XS_ROW_HARD,    /* C = 0 */
  XS_ROW_SPRING,  /* pulls with -C stiffness; rods: and with damping */
  XS_ROW_LIMIT,   /* C >= 0, lambda >= 0 */
  XS_ROW_DASHPOT, /* of a coordinate: pulls with -damping c */
  XS_ROW_RATE,    /* of a coordinate: c = 0 */
  XS_ROW_NONE     /* of a coordinate without dashpot beside one that has it */
} xs_row_sort;

/* Diagonal that takes a row out of a solve: infinite compliance, but for round-off. */
#define XS_MECHANISM_OUT 1e200

typedef struct xs_mechanism {
  const xs_world *world;
  const xs_joint_geometry *joint; /* of the system, n_joints */
  int n_blocks, n_rows;
  xs_row_block *block; /* the system's blocks with their rows, dashpots behind them */
  int count[XS_ROW_NONE + 1];
  unsigned char *sort; /* n_rows: xs_row_sort */
  double *stiffness;   /* n_rows: of springs, N/m or N m/rad */
  double *retardation; /* n_rows: of rods' rows, s: these pull with -stiffness (C + it c) */
  xs_dashpot *dashpot; /* n_rows: of dashpots and rates */
  double *softness;    /* n_rows: 1 for dashpots, which are no hard rows (global.h: loops) */
  int moves_in_time;   /* rows depend on time, or prescribed bodies do */
} xs_mechanism;

/* XS_INTERNAL without memory. The system has to outlive it. */
xs_status xs_mechanism_create(const xs_system *system, xs_arena *arena, xs_mechanism *mechanism,
                              xs_report *report);

/* An xs_global over the mechanism's blocks. */
xs_status xs_mechanism_global(const xs_mechanism *mechanism, xs_arena *arena, xs_global **global,
                              xs_report *report);

/* rhs <- solution by the factor of A + diagonal; exactly 0 for rows that are out. */
void xs_mechanism_back(const xs_mechanism *mechanism, xs_global *global, const double *diagonal,
                       double *rhs);

/* c of every row into rate[n_rows]: gradients of `global` at the state's poses, geometry frozen
 * to time t, velocities of the state. */
void xs_mechanism_rates(const xs_mechanism *mechanism, const xs_global *global,
                        const xs_state *state, double t, double *rate);

/* Reactions of joints (method.h, n_joints) where rows pull with the forces given (n_rows, N or
 * N m), with the gradients of `global` at the poses x. */
void xs_mechanism_reactions(const xs_mechanism *mechanism, const xs_global *global,
                            const xs_pose *x, const double *force, xs_reaction *reaction);

#endif
