/* Motion of a frame at a time. */
#include "model/motion.h"

#include "math/so3.h"

static xs_vec3 value3(const xs_timefn3 *f, double t) {
  return (xs_vec3){xs_timefn_value(f->x, t), xs_timefn_value(f->y, t), xs_timefn_value(f->z, t)};
}

void xs_motion_at(const xs_motion *motion, double t, xs_vec3 *translation, xs_quat *rotation) {
  xs_vec3 vector = motion->angle ? xs_vec3_scale(xs_timefn_value(motion->angle, t), motion->axis)
                                 : value3(&motion->vector, t);
  /* Turned into node axes: P Exp(a) P^T = Exp(P a). */
  xs_mat3 P = xs_so3_matrix(motion->q_carrier);
  *translation = xs_mat3_mul_vec(&P, value3(&motion->translation, t));
  *rotation = xs_so3_exp(xs_mat3_mul_vec(&P, vector));
}
