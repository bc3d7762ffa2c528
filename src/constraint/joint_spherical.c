/* Spherical joint: POS3, 3 rows; the frames' origins meet, rotation is free. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 3) {
    xs_joint_rows_evaluate(block, x, 0, 0, 3, C, G); /* constants: loops unroll */
  } else {
    xs_joint_rows_evaluate(block, x, 0, first, count, C, G);
  }
}

const xs_row_kind xs_joint_spherical = {.name = "spherical",
                                        .n_rows = 3,
                                        .n_nodes = 2,
                                        .evaluate = evaluate,
                                        .stiffness = xs_joint_stiffness_spherical};
