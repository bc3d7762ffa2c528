/* Position-level targets (Tobin & Rucker, section 5.6): the joint rows, and behind them the
 * free coordinates minus the target.
 *
 *   revolute   5 + 1   -phi_3 - target, unwrapped: any number of turns
 *   prismatic  5 + 1   u_3 - target
 *   spherical  3 + 3   Log(Exp(target)^T Rbar_1^T Rbar_2)
 * For the spherical joint the target is folded into frame 1, Rbar_1 Exp(target): the rows are
 * q - target to first order, but well defined for targets near pi.
 *
 * Compliance is 1/stiffness. A coordinate of stiffness 0 is left out: its row has C = 0 and
 * gradient 0 (joint->driven), and compliance 1, so that its multiplier stays 0 and no system
 * becomes singular by it. A <type>_drive block has the target's rows alone, for the scalar
 * forms of the joint rows. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

/* Row `start` becomes driven (C - target). */
XS_INLINE void aim(double target, double driven, int start, int first, int count, double *C,
                   double *G) {
  xs_joint_rows_span s = xs_joint_rows_asked(start, 1, first, count);
  if (s.from >= s.to) return;
  C[s.at] = driven * (C[s.at] - target);
  for (int column = 0; column < 12; column++) G[column * count + s.at] *= driven;
}

XS_INLINE void revolute_rows(const xs_row_block *block, const xs_pose *x, int first, int count,
                             double *C, double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_rows_position(joint, x, 0, first, count, C, G);
  if (first + count <= 3) return;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  const double side = xs_joint_rows_side(&rel);
  xs_joint_rows_rotation(joint, &rel, &joint->Q1, side, 0, 2, 3, first, count, C, G);
  xs_joint_rows_angle(joint, &rel, 5, first, count, C, G);
  aim(joint->target.x, joint->driven.x, 5, first, count, C, G);
}

XS_INLINE void prismatic_rows(const xs_row_block *block, const xs_pose *x, int first, int count,
                              double *C, double *G) {
  const xs_joint_geometry *joint = block->data;
  if (first + count > 2 && first < 5) {
    xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
    xs_joint_rows_rotation(joint, &rel, &joint->Q1, 1, 0, 3, 2, first, count, C, G);
  }
  xs_vec3 w1 = xs_joint_rows_lever(joint, x);
  for (int i = 0; i < 3; i++)
    xs_joint_rows_slide(joint, x, w1, xs_mat3_column(&joint->Q1, i), i < 2 ? i : 5, first, count, C,
                        G);
  aim(joint->target.x, joint->driven.x, 5, first, count, C, G);
}

XS_INLINE void spherical_rows(const xs_row_block *block, const xs_pose *x, int first, int count,
                              double *C, double *G) {
  const xs_joint_geometry *joint = block->data;
  xs_joint_rows_position(joint, x, 0, first, count, C, G);
  if (first + count <= 3) return;

  /* Frame 1 turned by the target, which is thereby 0. */
  xs_quat q1 = xs_quat_mul(x[joint->node1].q, joint->q1_target);
  xs_quat q2 = xs_quat_mul(x[joint->node2].q, joint->q2);
  xs_joint_rows_turned rel = {.q = xs_quat_mul(xs_quat_conj(q2), q1)};
  rel.phi = xs_so3_unit_log(rel.q, &rel.Gi);
  xs_joint_rows_rotation(joint, &rel, &joint->Q1_target, -1, 0, 3, 3, first, count, C, G);
  for (int i = 0; i < 3; i++)
    aim(0, xs_joint_rows_component(joint->driven, i), 3 + i, first, count, C, G);
}

/* Constants where all rows are asked for: loops unroll. */
static void revolute(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 6)
    revolute_rows(block, x, 0, 6, C, G);
  else
    revolute_rows(block, x, first, count, C, G);
}

static void prismatic(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                      double *G) {
  if (count == 6)
    prismatic_rows(block, x, 0, 6, C, G);
  else
    prismatic_rows(block, x, first, count, C, G);
}

static void spherical(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                      double *G) {
  if (count == 6)
    spherical_rows(block, x, 0, 6, C, G);
  else
    spherical_rows(block, x, first, count, C, G);
}

/* Only the rows behind the joint rows. */
static void revolute_drive(const xs_row_block *block, const xs_pose *x, int first, int count,
                           double *C, double *G) {
  revolute(block, x, 5 + first, count, C, G);
}

static void prismatic_drive(const xs_row_block *block, const xs_pose *x, int first, int count,
                            double *C, double *G) {
  prismatic(block, x, 5 + first, count, C, G);
}

static void spherical_drive(const xs_row_block *block, const xs_pose *x, int first, int count,
                            double *C, double *G) {
  spherical(block, x, 3 + first, count, C, G);
}

const xs_row_kind xs_joint_revolute_target = {.name = "revolute_target",
                                              .n_rows = 6,
                                              .n_nodes = 2,
                                              .evaluate = revolute,
                                              .stiffness = xs_joint_stiffness_revolute_target};
const xs_row_kind xs_joint_prismatic_target = {.name = "prismatic_target",
                                               .n_rows = 6,
                                               .n_nodes = 2,
                                               .evaluate = prismatic,
                                               .stiffness = xs_joint_stiffness_prismatic_target};
const xs_row_kind xs_joint_spherical_target = {.name = "spherical_target",
                                               .n_rows = 6,
                                               .n_nodes = 2,
                                               .evaluate = spherical,
                                               .stiffness = xs_joint_stiffness_spherical_target};
const xs_row_kind xs_joint_revolute_drive = {
    .name = "revolute_drive", .n_rows = 1, .n_nodes = 2, .evaluate = revolute_drive};
const xs_row_kind xs_joint_prismatic_drive = {
    .name = "prismatic_drive", .n_rows = 1, .n_nodes = 2, .evaluate = prismatic_drive};
const xs_row_kind xs_joint_spherical_drive = {
    .name = "spherical_drive", .n_rows = 3, .n_nodes = 2, .evaluate = spherical_drive};
