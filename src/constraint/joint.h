/* Joints as row blocks (Tobin & Rucker, section 5).
 *
 * pbar_i = p_i + R_i r_i and Rbar_i = R_i Q_i are the joint frames in the world,
 * phi = Rbar_1 [-] Rbar_2 = Log(Rbar_2^T Rbar_1). A joint gives blocks of three sorts:
 *
 *   joint rows   what the type forbids (joint_<type>.c); with a position-level target the
 *                free coordinates follow as further rows of the same block, so that a
 *                block solve takes both at once (joint_target.c)
 *   coordinates  the free coordinates q(x) as rows (joint_coordinate_rows.c): damping and
 *                velocity drives act on them at velocity level
 *   limits       q - min >= 0, max - q >= 0: one row each, lambda >= 0 (joint_limit.c)
 *
 * Where a gradient has no direction it is 0 and C still finite: |pbar_1 - pbar_2| = 0, swing
 * 0 or pi, twist at swing pi. Such a row cannot act, and a solver has to pass it over.
 *
 * In the scalar forms the joint rows are one positional and one angular row, each a block
 * of its own (joint_scalar.c). Coordinates have the usual sign, body 2 relative to body 1
 * (minus the paper's phi_3). The row triples that types share are in joint_rows.h. */
#ifndef XS_CONSTRAINT_JOINT_H
#define XS_CONSTRAINT_JOINT_H

#include "constraint/rows.h"

typedef struct xs_joint_geometry xs_joint_geometry;

/* One side of a limit: C = sign (q - bound) >= 0. */
typedef struct xs_joint_limit {
  const xs_row_kind *kind;
  const xs_joint_geometry *joint;
  double sign, bound;
  double middle; /* twist: taken within half a turn of it, rad */
} xs_joint_limit;

enum {
  XS_JOINT_LIMITS_MAX = 4,                      /* swing and twist, both sides */
  XS_JOINT_BLOCKS_MAX = 3 + XS_JOINT_LIMITS_MAX /* scalar: angle, position, target; limits */
};

/* What the rows of a joint need, in the nodes' frames. What depends on time is frozen into
 * it before a solve (xs_joint_freeze). Must not move in memory while blocks refer to it. */
struct xs_joint_geometry {
  int node1, node2;
  xs_vec3 r1, r2; /* joint frames' origins, m */
  xs_quat q1, q2; /* joint frame -> node frame */
  xs_mat3 Q1, Q2; /* the same rotations as matrices */
  xs_vec3 height; /* planar: frame 1's z in node 1 before motion.rotation */
  double length;  /* distance, m */
  /* Position-level target, frozen: values of the coordinates, 1 or 0 for a row that acts or
   * is left out, and (spherical) frame 1 turned by the target. */
  xs_vec3 target, driven;
  xs_quat q1_target;
  xs_mat3 Q1_target;
  double alpha[6]; /* compliance of the joint rows, target rows behind */
  int n_limits;
  xs_joint_limit limit[XS_JOINT_LIMITS_MAX];
  const xs_turn *turn; /* revolute: the turn when the substep began; angles beyond pi are
                          reckoned from it */
};

/* Joint rows; data is the xs_joint_geometry. */
extern const xs_row_kind xs_joint_fixed, xs_joint_revolute, xs_joint_spherical, xs_joint_prismatic,
    xs_joint_planar, xs_joint_distance;
/* Joint rows with the target's rows behind; the target's rows alone. */
extern const xs_row_kind xs_joint_revolute_target, xs_joint_prismatic_target,
    xs_joint_spherical_target;
extern const xs_row_kind xs_joint_revolute_drive, xs_joint_prismatic_drive,
    xs_joint_spherical_drive;
/* Free coordinates. */
extern const xs_row_kind xs_joint_revolute_coordinate, xs_joint_prismatic_coordinate,
    xs_joint_spherical_coordinate, xs_joint_planar_coordinate, xs_joint_distance_coordinate;
/* Limits; data is an xs_joint_limit. */
extern const xs_row_kind xs_joint_revolute_limit, xs_joint_prismatic_limit, xs_joint_distance_limit,
    xs_joint_swing_limit, xs_joint_twist_limit;

/* Every kind above, NULL at the end: what tests go through. */
extern const xs_row_kind *const xs_joint_kinds[];

/* The joint rows of a type, vector form, without target. */
const xs_row_kind *xs_joint_kind(xs_joint_type type);

/* How many of them are lengths (m); they come first, the rest are angles (rad). */
int xs_joint_translation_rows(xs_joint_type type);

/* Fills geometry for t = 0; turn is kept as a pointer (NULL for types without). */
void xs_joint_geometry_init(const xs_joint *joint, const xs_turn *turn,
                            xs_joint_geometry *geometry);

/* Moves frame 1 and the target to time t (s). */
void xs_joint_freeze(const xs_joint *joint, double t, xs_joint_geometry *geometry);

/* The position-level blocks of joint number `index`, in the order in which they are solved:
 * joint rows (scalar forms: angle, then position, then the target's rows as a block of
 * their own), then limits. *n_rows counts rows over
 * all joints: blocks get their first_row from it and it is advanced. Returns the number of
 * blocks; at most XS_JOINT_BLOCKS_MAX. A joint without rows of its own (a distance joint
 * with limits only) gives its limits alone. */
int xs_joint_blocks(const xs_joint *joint, const xs_joint_geometry *geometry, xs_constraints form,
                    int index, int *n_rows, xs_row_block block[XS_JOINT_BLOCKS_MAX]);

/* The free coordinates as one block (first_row 0): revolute 1, prismatic 1, spherical 3
 * (rotation vector), planar 3 (slides along frame 1's x, y and the angle about its z),
 * distance 1 (the distance itself). Returns 0 for types without. Revolute: reckoned from
 * geometry->turn, so it goes on beyond pi. */
int xs_joint_coordinate_block(const xs_joint *joint, const xs_joint_geometry *geometry, int index,
                              xs_row_block *block);

/* C_t = dC/dt at fixed poses of a block of the joint (joint rows, limits, coordinates), in
 * rate[n_rows]: what the motion of frame 1 and the target do at time t, to which the geometry
 * has to be frozen. G: the block's gradient at the poses x. */
void xs_joint_time_rate(const xs_joint *joint, const xs_joint_geometry *geometry,
                        const xs_row_block *block, const xs_pose *x, const double *G, double t,
                        double *rate);

/* How far the joint has come apart at the poses x, m: length of the forbidden part of
 * pbar_2 - pbar_1 (prismatic: across the axis, planar: along it, distance: |C|). */
double xs_joint_gap(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x);

/* Turn at the start: the angle of body 2 about the axis in (-pi, pi]. */
xs_turn xs_joint_turn_start(const xs_joint_geometry *geometry, const xs_pose *x);

/* Carries turn on to the poses x; needs less than half a turn since the last call. */
void xs_joint_turn_track(const xs_joint_geometry *geometry, const xs_pose *x, xs_turn *turn);

/* The unwrapped angle that a turn stands for, rad. */
double xs_joint_turn_angle(const xs_turn *turn);

/* Joint variables at x for the record, unused ones 0: revolute, the unwrapped angle;
 * prismatic, the distance along the axis; spherical, the rotation vector
 * Log(Rbar_1^T Rbar_2); planar, slides along frame 1's x, y and the angle about its z in
 * (-pi, pi]; distance, |pbar_1 - pbar_2|. */
xs_vec3 xs_joint_coordinate(xs_joint_type type, const xs_joint_geometry *geometry, const xs_pose *x,
                            const xs_turn *turn);

#endif
