/* Normed position rows of joints.
 *
 *   anchors  C = |Delta|, Delta = pbar_1 - pbar_2, n = Delta/C
 *            [ n^T, (r1 x R1^T n)^T, -n^T, -(r2 x R2^T n)^T ]
 *   across   C = |Delta|, Delta = (I - a1 a1^T)(pbar_2 - pbar_1), n = Delta/C
 *            [ -n^T, -(w1 x R1^T n)^T, n^T, (r2 x R2^T n)^T ],  w1 = R1^T (pbar_2 - p_1)
 *   height   C = n . (pbar_2 - pbar_1) with n fixed in node 1; gradient as across
 *
 * The lever arm w1 reaches to where body 2 is now: when body 1 turns, its axis sweeps past
 * pbar_2, not past pbar_1. Mueller et al. apply the force at body 1's own anchor instead,
 * with r1 for w1 (across_mueller). That gradient is off by u_3 (R1^T a1 x R1^T n), of size
 * |u_3|, the distance slid, and the pair of forces has the couple u_3 a1 x f left over.
 * They have no planar joint, so that height has one form. */
#include "constraint/joint_rows.h"
#include "constraint/joint_scalar.h"

/* pbar_2 seen from node 1, in its frame: w1. Centres first: far from the origin their
 * difference is exact or nearly so. */
static xs_vec3 anchor_2_in_node_1(const xs_joint_geometry *joint, const xs_pose *x) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 between = xs_vec3_sub(x2->p, x1->p);
  xs_vec3 world = xs_vec3_add(between, xs_mat3_mul_vec(&x2->R, joint->r2));
  return xs_mat3_tmul_vec(&x1->R, world);
}

/* The gradient of a force `n` (world) on node 1 with the lever arm arm1 (node frame), and
 * of -n on node 2 at its anchor: translation and rotation of both nodes, in g[2][6]. */
static void force_pair(const xs_joint_geometry *joint, const xs_pose *x, xs_vec3 arm1, xs_vec3 n,
                       double *g) {
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_joint_rows_put(g, 0, 1, 0, n, xs_vec3_cross(arm1, xs_mat3_tmul_vec(&x1->R, n)));
  xs_joint_rows_put(g, 1, 1, 0, xs_vec3_neg(n),
                    xs_vec3_cross(xs_mat3_tmul_vec(&x2->R, n), joint->r2));
}

/* ---- anchors ---- */

static void anchors(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                    double *G) {
  (void)first, (void)count; /* one row */
  const xs_joint_geometry *joint = block->data;
  const xs_pose *x1 = &x[joint->node1], *x2 = &x[joint->node2];
  xs_vec3 arm1 = xs_mat3_mul_vec(&x1->R, joint->r1), arm2 = xs_mat3_mul_vec(&x2->R, joint->r2);
  xs_vec3 gap = xs_vec3_add(xs_vec3_sub(x1->p, x2->p), xs_vec3_sub(arm1, arm2));
  xs_vec3 n = xs_joint_scalar_unit(gap, C);
  force_pair(joint, x, joint->r1, n, G);
}

void xs_joint_scalar_pull(const xs_row_block *block, const xs_pose *x, xs_vec3 impulse,
                          double g[][6]) {
  const xs_joint_geometry *joint = block->data;
  force_pair(joint, x, joint->r1, impulse, g[0]);
}

/* The same on node 2, but on node 1 at the place where pbar_2 is. */
static void pull_at_anchor_2(const xs_row_block *block, const xs_pose *x, xs_vec3 impulse,
                             double g[][6]) {
  const xs_joint_geometry *joint = block->data;
  force_pair(joint, x, anchor_2_in_node_1(joint, x), impulse, g[0]);
}

/* ---- across the axis ---- */

static void across_with_arm(const xs_joint_geometry *joint, const xs_pose *x, int mueller,
                            double *C, double *G) {
  /* Delta in the frame of node 1: what is left of pbar_2 - pbar_1 without its slide. */
  xs_vec3 w1 = anchor_2_in_node_1(joint, x), offset = xs_vec3_sub(w1, joint->r1);
  xs_vec3 axis = xs_mat3_column(&joint->Q1, 2);
  xs_vec3 delta = xs_vec3_add_scaled(offset, -xs_vec3_dot(axis, offset), axis);
  xs_vec3 n = xs_mat3_mul_vec(&x[joint->node1].R, xs_joint_scalar_unit(delta, C));
  force_pair(joint, x, mueller ? joint->r1 : w1, xs_vec3_neg(n), G);
}

static void across(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                   double *G) {
  (void)first, (void)count;
  across_with_arm(block->data, x, 0, C, G);
}

static void across_mueller(const xs_row_block *block, const xs_pose *x, int first, int count,
                           double *C, double *G) {
  (void)first, (void)count;
  across_with_arm(block->data, x, 1, C, G);
}

/* ---- height ---- */

static void height(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                   double *G) {
  (void)first, (void)count;
  const xs_joint_geometry *joint = block->data;
  xs_vec3 w1 = anchor_2_in_node_1(joint, x);
  *C = xs_vec3_dot(joint->height, xs_vec3_sub(w1, joint->r1));
  xs_vec3 n = xs_mat3_mul_vec(&x[joint->node1].R, joint->height);
  force_pair(joint, x, w1, xs_vec3_neg(n), G);
}

const xs_row_kind xs_joint_scalar_anchors = {.name = "anchors",
                                             .n_rows = 1,
                                             .n_nodes = 2,
                                             .evaluate = anchors,
                                             .impulse = xs_joint_scalar_pull};
const xs_row_kind xs_joint_scalar_across = {
    .name = "across", .n_rows = 1, .n_nodes = 2, .evaluate = across, .impulse = pull_at_anchor_2};
const xs_row_kind xs_joint_scalar_across_mueller = {.name = "across-mueller",
                                                    .n_rows = 1,
                                                    .n_nodes = 2,
                                                    .evaluate = across_mueller,
                                                    .impulse = xs_joint_scalar_pull};
const xs_row_kind xs_joint_scalar_height = {
    .name = "height", .n_rows = 1, .n_nodes = 2, .evaluate = height, .impulse = pull_at_anchor_2};
