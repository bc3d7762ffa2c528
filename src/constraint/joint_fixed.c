/* Fixed joint: POS3 and ROT3, 6 rows; frame 2 stays on frame 1. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 6) {
    xs_joint_rows_evaluate(block, x, 3, 0, 6, C, G); /* constants: loops unroll */
  } else {
    xs_joint_rows_evaluate(block, x, 3, first, count, C, G);
  }
}

const xs_row_kind xs_joint_fixed = {.name = "fixed",
                                    .n_rows = 6,
                                    .n_nodes = 2,
                                    .evaluate = evaluate,
                                    .stiffness = xs_joint_stiffness_fixed};
