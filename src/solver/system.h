/* The system of one substep: rows, multipliers, and where each node was and is.
 *
 * Shared by the parts of the XPBD method: the predictions and corrections of its nodes
 * (xpbd.c), the ways to solve (sweep.c, global.c), the velocity pass (damping.c) and
 * the residuals (residual.c). A node's correction dp = p - p~ is kept apart from p:
 * differences of positions would feed their round-off, eps |p|/h, into velocities, and
 * with them into the momentum, in every step. */
#ifndef XS_SOLVER_SYSTEM_H
#define XS_SOLVER_SYSTEM_H

#include "constraint/joint.h"
#include "constraint/rod.h"
#include "solver/method.h"

typedef struct xs_contacts xs_contacts; /* contacts.h */

typedef struct xs_system {
  const xs_world *world;
  double h;              /* substep, s */
  int n_moving, *moving; /* nodes with mass */

  /* Blocks that are swept come first; the rest is solved by islands. A block's entity is
   * its joint, or n_joints + its rod. */
  int n_blocks, n_swept, n_rows;
  xs_row_block *block;
  xs_joint_geometry *joint; /* n_joints */

  int n_timed, *timed;         /* joints with a moving frame or a target */
  xs_rod_element *rod_element; /* of all rods */
  double *rod_alpha;           /* 6 XS_ROD_GAUSS_MAX a rod */

  xs_contacts *contacts; /* with rows and multipliers of their own; NULL: none */

  double *lambda;   /* n_rows */
  double *softness; /* n_rows: what islands add to the diagonal of A; Euler: alpha~ */
  xs_vec3 *impulse; /* n_blocks, scalar forms: sum of dlambda times the row's direction, world */
  xs_quat *q_n;     /* n_nodes: orientation at the start of the substep */
  xs_quat *q_tilde; /* n_nodes: predicted */
  xs_vec3 *dp;      /* n_nodes: p - p~, m */
  xs_vec3 *couple;  /* n_nodes: h^2 tau in the node's frame where the corrected update takes it
                       with the multipliers instead of in x~ (rods: their nodes turn too easily
                       for a prediction of their own); else 0 */
  double *momentum; /* 6 n_nodes: work space, G^T lambda or r_P node by node */

  /* The corrected update contracts only while the forces that turn with the bodies are small
   * against their inertia, h^2 T r/I < 1 for a tension T at an arm r: d^2 C is not in the
   * matrix. Where its displacement grows, the substep is solved anew with the plain update. */
  double drift;      /* squared size of the last primal displacement, M-norm; < 0: none yet */
  int plain;         /* it grew in this substep */
  long long n_plain; /* substeps in which it did */

  /* What went wrong in this substep, to be looked at when it is over. */
  int suspect;   /* a block was found far off, or not finite */
  int singular;  /* entity whose equations could not be solved, or -1 */
  double *torn2; /* by entity: squared size of C at which it is looked at more closely */
} xs_system;

/* alpha~ of row r of a block: alpha/h^2. */
static inline double xs_system_alpha_tilde(const xs_system *system, const xs_row_block *block,
                                           int r) {
  return block->alpha ? block->alpha[r] / (system->h * system->h) : 0;
}

/* An inequality row that is not violated and carries nothing takes no part. */
static inline int xs_system_inactive(const xs_row_block *block, double C, double lambda) {
  return block->bound == XS_BOUND_BOX && C >= 0 && lambda == 0;
}

/* A multiplier brought back between its row's bounds. */
static inline double xs_system_clamped(const xs_row_block *block, double lambda) {
  if (block->bound == XS_BOUND_NONE) return lambda;
  return lambda < block->lambda_min   ? block->lambda_min
         : lambda > block->lambda_max ? block->lambda_max
                                      : lambda;
}

/* momentum, which holds G^T lambda, becomes (x [-] x~) - M^-1 (G^T lambda + couple), node by
 * node; 0 where nothing moves. */
void xs_system_primal_displacement(xs_system *system, const xs_pose *x);

/* Compares the displacement in momentum with that of the iteration before; sets plain if it
 * has grown. Couples, which only the corrected update takes, leave no choice. floor2: squared
 * size (M-norm) below which it is round-off anyway. */
void xs_system_rate_displacement(xs_system *system, double floor2);

/* Moves n nodes, all of which can move, by M^-1 momentum: x <- x [+] .., or with from_tilde
 * x <- x~ [+] ... */
void xs_system_displace(xs_system *system, xs_pose *x, int n, const int *node, int from_tilde);

/* Elastic energy in compliant rows at the poses x, J. */
double xs_system_elastic_energy(const xs_system *system, const xs_pose *x);

#endif
