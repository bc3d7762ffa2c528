/* The world: what a scene describes, immutable once it is loaded.
 *
 * The paper's one idea is kept visible here: whatever has a pose is a *node*, an
 * oriented particle (p, R) with a mass and a principal inertia. Node 0 is the ground
 * (infinite mass, never moved); bodies follow in scene order; rod nodes will follow the
 * bodies, and particles without orientation are nodes whose inverse inertia is zero.
 * Constraints and solvers know nodes only.
 *
 * A body's node frame sits in its centre of mass along its principal axes, so that its
 * inertia is diagonal; the frame that the scene uses (and the result reports) is found
 * back with center_of_mass and q_principal. SI units, radians. */
#ifndef XS_MODEL_WORLD_H
#define XS_MODEL_WORLD_H

#include "base/arena.h"
#include "base/pool.h"
#include "math/vec.h"
#include "model/motion.h"
#include "model/timefn.h"

enum { XS_GROUND = 0 }; /* index of the ground's node */

typedef enum xs_solve { XS_SOLVE_INDIVIDUAL, XS_SOLVE_BLOCK, XS_SOLVE_GLOBAL } xs_solve;
/* Form of the joint rows: vector-valued, or the normed ones of Mueller et al. 2020 with
 * their true gradients or with those of that paper. */
typedef enum xs_constraints {
  XS_CONSTRAINTS_VECTOR,
  XS_CONSTRAINTS_SCALAR,
  XS_CONSTRAINTS_SCALAR_MUELLER
} xs_constraints;
/* Rods: one banded solve for all elements of a rod and the joints at its ends, or
 * Gauss-Seidel over blocks of three rows. */
typedef enum xs_rod_solve { XS_ROD_SOLVE_BANDED, XS_ROD_SOLVE_INDIVIDUAL } xs_rod_solve;
typedef enum xs_update { XS_UPDATE_XPBD, XS_UPDATE_CORRECTED } xs_update;
typedef enum xs_gyroscopic {
  XS_GYROSCOPIC_MIDPOINT,
  XS_GYROSCOPIC_EXPLICIT,
  XS_GYROSCOPIC_IMPLICIT
} xs_gyroscopic;

typedef struct xs_time {
  double step;     /* s, > 0: one recorded step */
  double duration; /* s, >= 0; number of steps = round(duration / step) */
  int substeps;    /* >= 1: the solver's step is step / substeps */
} xs_time;

/* Motion over time, or equilibria (interface: static mode). */
typedef enum xs_mode { XS_MODE_DYNAMIC, XS_MODE_STATIC } xs_mode;
typedef enum xs_integrator {
  XS_INTEGRATOR_EULER,
  XS_INTEGRATOR_RATTLE,
  XS_INTEGRATOR_GENALPHA
} xs_integrator;
/* What factors the bands of rods: LAPACK, or our own fixed-block factorisation. */
typedef enum xs_band_solver { XS_BAND_SOLVER_LAPACKE, XS_BAND_SOLVER_NATIVE } xs_band_solver;

typedef struct xs_solver {
  const char *method; /* "xpbd" */
  xs_mode mode;
  xs_integrator integrator;
  xs_band_solver band_solver;
  xs_solve solve;
  xs_constraints constraints;
  xs_rod_solve rod_solve;
  xs_update update;
  int iterations;   /* >= 1 a substep; with a tolerance: at most so many */
  double tolerance; /* on primal_relative and |C| / size; 0: fixed number of iterations */
  xs_gyroscopic gyroscopic;
  double spectral_radius; /* genalpha: rho at infinite frequency, 0..1; else unused */
} xs_solver;

typedef struct xs_output {
  int every;                          /* steps a record, >= 1 */
  int compression;                    /* deflate level 0..9 */
  double checkpoint;                  /* simulated seconds between checkpoints, > 0 */
  int bodies, joints, rods, contacts; /* field groups to record */
  int residual_peak;                  /* largest residuals over all substeps between records, too */
  int stability;                      /* static mode: lowest eigenvalue of each equilibrium, too */
} xs_output;

typedef struct xs_material {
  const char *name;
  /* NaN = not given; with poisson_ratio (1) or shear_modulus (Pa) given, both are known */
  double density;                                      /* kg/m^3 */
  double youngs_modulus, poisson_ratio, shear_modulus; /* Pa, 1, Pa */
  double friction, restitution;                        /* of contacts; NaN: the scene's */
  double static_friction;                              /* NaN: friction */
} xs_material;

typedef enum xs_shape_type {
  XS_SHAPE_SPHERE,
  XS_SHAPE_CAPSULE,  /* along z */
  XS_SHAPE_CYLINDER, /* along z */
  XS_SHAPE_BOX,
  XS_SHAPE_PLANE, /* z = 0 of its frame, solid below; no mass */
  XS_SHAPE_TORUS  /* about z */
} xs_shape_type;

typedef struct xs_shape {
  xs_shape_type type;
  int material;                      /* index into materials, -1 = none */
  double radius, half_length;        /* sphere, capsule, cylinder; m */
  double major_radius, minor_radius; /* torus; m */
  xs_vec3 half_extents;              /* box; m */
  xs_vec3 position;                  /* of the shape's frame in the body's frame, m */
  xs_quat orientation;               /* shape frame -> body frame */
} xs_shape;

/* Inertia of a node, principal axes. All zero: never moved (ground, fixed bodies). */
typedef struct xs_inertia {
  double mass, inv_mass;      /* kg, 1/kg */
  xs_vec3 moment, inv_moment; /* kg m^2, 1/(kg m^2), about the node frame's axes */
} xs_inertia;

/* Pose and velocity of a node at t = 0: v in the world, omega in the node frame. */
typedef struct xs_node_start {
  xs_vec3 p;
  xs_quat q;
  xs_vec3 v, omega;
} xs_node_start;

typedef struct xs_body {
  const char *name;
  int node; /* index into nodes */
  int fixed;
  const xs_motion *motion; /* prescribed pose of the scene's body frame; NULL = free */
  xs_vec3 center_of_mass;  /* in the scene's body frame, m */
  xs_quat q_principal;     /* node frame -> scene's body frame; identity if already principal */
  int n_shapes;
  const xs_shape *shapes;
  /* Start: centre of mass and node frame; velocity of the centre of mass (world), angular
   * velocity in the node frame. */
  xs_vec3 p0;
  xs_quat q0;
  xs_vec3 v0, omega0;
} xs_body;

typedef enum xs_joint_type {
  XS_JOINT_FIXED,
  XS_JOINT_REVOLUTE, /* about z of both joint frames */
  XS_JOINT_SPHERICAL,
  XS_JOINT_PRISMATIC, /* along z of frame 1 */
  XS_JOINT_PLANAR,    /* height along frame 1's z before its motion, normals along its z */
  XS_JOINT_DISTANCE,  /* between the frames' origins */
  XS_N_JOINT_TYPES
} xs_joint_type;

/* A frame fixed in a node: position in the node's frame (m), joint frame -> node frame. */
typedef struct xs_frame {
  xs_vec3 r;
  xs_quat q;
} xs_frame;

/* Limits of a joint variable; -inf, inf where there is none. */
typedef struct xs_interval {
  double min, max;
} xs_interval;

/* What drives a joint's free coordinates: revolute 1 (angle, rad), prismatic 1 (distance,
 * m), spherical 3 (rotation vector, rad). Usual sign, body 2 relative to body 1. */
typedef struct xs_target {
  int n;                     /* coordinates: 1 or 3 */
  const xs_timefn *value[3]; /* NULL: no position-level target */
  double stiffness[3];       /* N/m or N m/rad; INFINITY: kinematic; 0: that row is left out */
  const xs_timefn *rate[3];  /* NULL: 0; 1/s of the coordinate */
  double damping[3];         /* N s/m or N m s; INFINITY: kinematic rate; 0: none */
} xs_target;

typedef struct xs_joint {
  const char *name;
  xs_joint_type type;
  int node1, node2; /* one of them may be XS_GROUND, or the node of a fixed body */
  xs_frame frame1, frame2;
  const xs_motion *motion;      /* of frame 1; NULL = at rest in node 1 */
  double compliance;            /* m/N, on the translation rows */
  double rotational_compliance; /* rad/(N m), on the rotation rows */
  double damping;               /* N s/m or N m s, on the free coordinates */
  double length;                /* distance joint, m, > 0; NaN = none, only limits */
  xs_interval limit;            /* revolute angle, prismatic distance, distance */
  xs_interval swing, twist;     /* spherical, rad; swing in [0, pi] */
  const xs_target *target;      /* NULL = none */
} xs_joint;

typedef enum xs_rod_discretization {
  XS_ROD_CHAIN,  /* rigid bodies at the nodes, elastic joints between them */
  XS_ROD_LINEAR, /* finite elements of 2, 3 and 4 nodes */
  XS_ROD_QUADRATIC,
  XS_ROD_CUBIC,
  XS_N_ROD_DISCRETIZATIONS
} xs_rod_discretization;

/* A Cosserat rod. Its nodes are nodes like any other, first_node on, in the order of arc
 * length; d3 of a node's frame is along the rod. Elements are of equal rest length. What is
 * given at Gauss points runs along the rod, n_gauss an element. Clamped and pinned ends are
 * joints with the ground (world.joints), free ends are nothing. */
typedef struct xs_rod {
  const char *name;
  xs_rod_discretization discretization;
  int n_elements; /* chain: joints, one fewer than bodies */
  int n_gauss;    /* Gauss points an element: reduced 1, 2, 3; full 2, 3, 4; chain 1 */
  int first_node, n_nodes;
  int material;             /* index into materials, -1 = none */
  double element_length;    /* l, m, at rest */
  xs_vec3 K_shear;          /* N: kappa G A about d1, d2, E A along d3; 0: row left out */
  xs_vec3 K_bend;           /* N m^2: E I1, E I2, G J; 0: row left out */
  const xs_vec3 *rest_bend; /* u* at Gauss points, 1/m; v* is (0, 0, 1) */
  double damping_time;      /* tau = beta / E, s; 0 = none */
  const double *arc_length; /* of the nodes, m */
  double contact_radius;    /* of the round tube that touches others, m; > 0 where contact is on */
} xs_rod;

typedef struct xs_load {
  int node;
  int follower;             /* components in the scene's body frame instead of the world */
  xs_quat q_principal;      /* node frame -> the frame of the components, if follower */
  xs_timefn3 force, torque; /* N at the node, N m */
} xs_load;

/* What touches, and how. Friction and restitution of a pair: mu = sqrt(mu1 mu2), e = max(e1,
 * e2), each side's from its material, else from here. A rod's index is n_bodies + its own. */
typedef struct xs_contact_options {
  int enabled;
  double friction, restitution; /* 1, >= 0 */
  double compliance;            /* m/N, on the normal row */
  int self_contact;             /* rods with themselves */
  int joined;                   /* what a joint joins, too */
  int detect_every_iteration;   /* not only at the predicted poses */
  int contacts_first;           /* solved before the joints that are swept */
  int n_exclude;
  const int (*exclude)[2]; /* pairs of bodies or rods that do not touch */
} xs_contact_options;

typedef struct xs_check {
  const char *metric;    /* grammar: io/metric.h */
  double from, to;       /* time window, s; -inf, inf by default */
  double below, above;   /* NaN = not asked for; below: value < below */
  double equals, within; /* |value - equals| <= within; NaN = not asked for */
  int n_reference;       /* > 0: max |series(time[i]) - value[i]| <= within */
  const double *reference_time, *reference_value;
} xs_check;

typedef struct xs_world {
  const char *name, *description;
  xs_vec3 gravity; /* m/s^2 */
  xs_time time;
  xs_solver solver;
  xs_contact_options contact;
  xs_output output;
  int n_nodes; /* ground included */
  xs_inertia *inertia;
  /* Start of rod nodes (bodies have their own): n_nodes entries, node frames. */
  const xs_node_start *start;
  int n_rods;
  xs_rod *rods;
  int n_materials, n_bodies, n_joints, n_loads, n_checks;
  xs_material *materials;
  xs_body *bodies;
  xs_joint *joints;
  xs_load *loads;
  xs_check *checks;
  xs_pool *pool; /* threads for what is independent, not the scene's; NULL: one */
  double size;   /* m: diagonal of the box round all joints, centres of mass and shapes at t = 0;
                    1 if that is below 1e-12 (a single point, or nothing) */
} xs_world;

/* The number of steps of a run: round(duration / step). */
long long xs_world_steps(const xs_world *world);

/* What a node is called in messages: "ground", or the body's name. */
const char *xs_world_node_name(const xs_world *world, int node);

/* "ground", "body" or "rod". */
const char *xs_world_node_kind(const xs_world *world, int node);

#endif
