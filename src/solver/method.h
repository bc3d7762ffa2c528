/* A method: one way to take a step, one file, one const table of functions.
 *
 * A method advances a state of a world; it owns its work space, allocated once by create.
 * Neither step nor residual allocates or does I/O. The application knows this table only,
 * so a new method (rattle, vertex block descent, ...) is a new file and a line in
 * xs_method_find. Methods are built twice, for the baseline and for AVX2, and
 * xs_method_find picks by the processor; both give the same bits. */
#ifndef XS_SOLVER_METHOD_H
#define XS_SOLVER_METHOD_H

#include "constraint/contact.h"

/* Residuals of a state, over joint rows and active inequality rows, maths: Tobin & Rucker (51),
 * (52), at the end of the last substep, with gradients taken at x^{n+1}. Before the first step:
 * |C(x0)|, the rest 0. */
typedef struct xs_residual {
  double primal;          /* |M dx~ - G^T lambda|, kg m and kg m^2 rad mixed */
  double constraint;      /* |C + alpha~ lambda|, m and rad mixed */
  double primal_relative; /* primal / |M dx~|; 0 where both are 0 */
  double primal_applied;  /* scalar forms: |M dx~ - impulses as they were applied| */
  double primal_max,
      constraint_max; /* output.residual_peak: over all substeps since the last call */
  double *joint;      /* n_joints: constraint residual of each joint's rows */
  double *rod;        /* n_rods: of each rod's rows */
} xs_residual;

/* Reaction of a joint on body 2 at its joint frame, world axes. */
typedef struct xs_reaction {
  xs_vec3 force, torque; /* N, N m */
} xs_reaction;

/* What touched in the last substep, and what is known of all contacts of the run so far. */
typedef struct xs_touching {
  int n;
  const xs_contact *contact;
  const double *impulse;           /* 3 n: of the substep, along n, t1, t2, on side 1, N s */
  double h;                        /* s: the substep; impulse / h is a force */
  double deepest, deepest_time;    /* largest overlap at the end of a substep, m; s */
  long long n_unconverged, groups; /* groups whose search ended too early; of so many */
} xs_touching;

enum { XS_METHOD_PERSIST_MAX = 8 };

/* A request to stop in the middle of a step: asked once a substep, so it has to be cheap. */
typedef struct xs_stop {
  int (*asked)(void *context); /* 1: stop */
  void *context;
} xs_stop;

typedef struct xs_method {
  const char *name;
  /* Work space for a world and its state at t = 0, from the arena, in *self; sets the
   * state's turns to the angles of the start. Refuses by name what the method cannot do;
   * XS_DIVERGED where it can make no start of the scene's (joints that cannot be closed).
   * A checkpoint is loaded into the state afterwards. */
  xs_status (*create)(const xs_world *world, xs_state *state, xs_arena *arena, void **self,
                      xs_report *report);
  /* Brings the state of a new run to what the record of t = 0 holds: an equilibrium, in static
   * mode. NULL: the scene's start is recorded as it is. XS_DIVERGED as for step. */
  xs_status (*start)(void *self, xs_state *state, xs_report *report);
  /* One recorded step (all its substeps). XS_DIVERGED with a message that names joint or
   * body, time and step; the state is then that of the failed substep. XS_STOPPED, without a
   * message, if stop (NULL: never) was asked for between two substeps; the state is then none
   * to go on from. */
  xs_status (*step)(void *self, xs_state *state, const xs_stop *stop, xs_report *report);
  /* Residuals and reactions of the last substep; each may be NULL. reaction: n_joints. */
  void (*residual)(void *self, const xs_state *state, xs_residual *residual, xs_reaction *reaction);
  /* Arrays a checkpoint has to keep besides the state; returns how many. */
  int (*persist)(void *self, xs_persist list[XS_METHOD_PERSIST_MAX]);
  /* Elastic energy stored in compliant rows at the state, J. */
  double (*elastic_energy)(void *self, const xs_state *state);
  /* Lowest eigenvalue of the state's tangent, 1/s^2, and how many are below 0; NULL: the method
   * knows none. */
  void (*stability)(void *self, const xs_state *state, double *lowest, double *negative);
  /* Fills it, valid until the next step; NULL: a method without contacts. */
  void (*touching)(void *self, xs_touching *touching);
} xs_method;

/* XS_USAGE if the variable XSIM_ISA of the environment names no variant, or one that this
 * processor cannot run. To be called once before the two functions below. */
xs_status xs_method_check_environment(xs_report *report);
/* The same of a value (NULL: not set) and a processor. */
xs_status xs_method_check_forced(const char *forced, int processor_has_avx2, xs_report *report);

/* "baseline" or "avx2": the variant that xs_method_find picks. */
const char *xs_method_variant(void);

/* The method's table for this processor, NULL if the name is unknown. */
const xs_method *xs_method_find(const char *name);

/* The module that does what a scene's solver asks for: method, mode and integrator together
 * name it. Never NULL for a solver that was loaded. */
const xs_method *xs_method_of(const xs_solver *solver);

#endif
