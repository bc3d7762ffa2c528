/* Planar joint: body 2 slides on a plane and turns about its normal, 3 rows.
 * The height e . (pbar_2 - pbar_1) is taken along frame 1's z before its motion turns it, so
 * that a platform's height is along a fixed vertical; the normals, rows 1 and 2 of ROT3,
 * follow frame 1 as it turns. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

XS_INLINE void rows(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                    double *G) {
  const xs_joint_geometry *joint = block->data;
  if (first == 0) {
    xs_vec3 w1 = xs_joint_rows_lever(joint, x);
    xs_joint_rows_slide(joint, x, w1, joint->height, 0, first, count, C, G);
  }
  if (first + count <= 1) return;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  const double side = xs_joint_rows_side(&rel);
  xs_joint_rows_rotation(joint, &rel, &joint->Q1, side, 0, 2, 1, first, count, C, G);
}

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 3) {
    rows(block, x, 0, 3, C, G); /* constants: loops unroll */
  } else {
    rows(block, x, first, count, C, G);
  }
}

const xs_row_kind xs_joint_planar = {.name = "planar",
                                     .n_rows = 3,
                                     .n_nodes = 2,
                                     .evaluate = evaluate,
                                     .stiffness = xs_joint_stiffness_planar};
