/* Revolute joint about e3 of both joint frames: POS3 and the first two rows of ROT3, 5 rows.
 * phi_1 = phi_2 = 0 exactly if the relative rotation is about e3; where the angle passes pi, phi
 * changes sign, which does no harm, because multipliers start from zero in every substep. */
#include "constraint/joint_rows.h"
#include "constraint/joint_stiffness.h"

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  if (count == 5) {
    xs_joint_rows_evaluate(block, x, 2, 0, 5, C, G); /* constants: loops unroll */
  } else {
    xs_joint_rows_evaluate(block, x, 2, first, count, C, G);
  }
}

const xs_row_kind xs_joint_revolute = {.name = "revolute",
                                       .n_rows = 5,
                                       .n_nodes = 2,
                                       .evaluate = evaluate,
                                       .stiffness = xs_joint_stiffness_revolute};
