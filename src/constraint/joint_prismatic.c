/* Prismatic joint along e3 of frame 1: slides across the axis and ROT3, 5 rows.
 * u = Rbar_1^T (pbar_2 - pbar_1); u_1 = u_2 = 0, phi = 0. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

XS_INLINE void rows(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                    double *G) {
  const xs_joint_geometry *joint = block->data;
  if (first < 2) {
    xs_vec3 w1 = xs_joint_rows_lever(joint, x);
    for (int i = 0; i < 2; i++)
      xs_joint_rows_slide(joint, x, w1, xs_mat3_column(&joint->Q1, i), i, first, count, C, G);
  }
  if (first + count <= 2) return;
  xs_joint_rows_turned rel = xs_joint_rows_log(joint, x);
  xs_joint_rows_rotation(joint, &rel, &joint->Q1, 1, 0, 3, 2, first, count, C, G);
}

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 5) {
    rows(block, x, 0, 5, C, G); /* constants: loops unroll */
  } else {
    rows(block, x, first, count, C, G);
  }
}

const xs_row_kind xs_joint_prismatic = {.name = "prismatic",
                                        .n_rows = 5,
                                        .n_nodes = 2,
                                        .evaluate = evaluate,
                                        .stiffness = xs_joint_stiffness_prismatic};
