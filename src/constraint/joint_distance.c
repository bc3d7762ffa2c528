/* Distance joint: |pbar_1 - pbar_2| = L, 1 row; with compliance it is a spring. Where the
 * two points meet, the direction is lost: the gradient is 0 and C = -L. */
#include <assert.h>

#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  const xs_joint_geometry *joint = block->data;
  assert(first == 0 && count == 1);
  (void)first, (void)count;
  xs_joint_rows_length(joint, x, C, G);
  C[0] -= joint->length;
}

const xs_row_kind xs_joint_distance = {.name = "distance",
                                       .n_rows = 1,
                                       .n_nodes = 2,
                                       .evaluate = evaluate,
                                       .stiffness = xs_joint_stiffness_distance,
                                       .impulse = xs_joint_scalar_pull};
