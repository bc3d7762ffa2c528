/* Motion of a frame at a time. */
#include "model/motion.h"

#include "math/so3.h"

static xs_vec3 value3(const xs_timefn3 *f, double t) {
  return (xs_vec3){xs_timefn_value(f->x, t), xs_timefn_value(f->y, t), xs_timefn_value(f->z, t)};
}

static xs_vec3 rate3(const xs_timefn3 *f, double t) {
  return (xs_vec3){xs_timefn_rate(f->x, t), xs_timefn_rate(f->y, t), xs_timefn_rate(f->z, t)};
}

static xs_vec3 rotation_vector(const xs_motion *motion, double t) {
  return motion->angle ? xs_vec3_scale(xs_timefn_value(motion->angle, t), motion->axis)
                       : value3(&motion->vector, t);
}

void xs_motion_at(const xs_motion *motion, double t, xs_vec3 *translation, xs_quat *rotation) {
  xs_vec3 vector = rotation_vector(motion, t);
  /* Turned into node axes: P Exp(a) P^T = Exp(P a). */
  xs_mat3 P = xs_so3_matrix(motion->q_carrier);
  *translation = xs_mat3_mul_vec(&P, value3(&motion->translation, t));
  *rotation = xs_so3_exp(xs_mat3_mul_vec(&P, vector));
}

void xs_motion_rate(const xs_motion *motion, double t, xs_vec3 *velocity, xs_vec3 *turn) {
  /* Exp(a)^ turns with Gamma(-a) a' in the axes that stay. */
  xs_vec3 rate = motion->angle ? xs_vec3_scale(xs_timefn_rate(motion->angle, t), motion->axis)
                               : rate3(&motion->vector, t);
  xs_mat3 P = xs_so3_matrix(motion->q_carrier);
  xs_mat3 left = xs_so3_gamma(xs_vec3_neg(rotation_vector(motion, t)));
  *velocity = xs_mat3_mul_vec(&P, rate3(&motion->translation, t));
  *turn = xs_mat3_mul_vec(&P, xs_mat3_mul_vec(&left, rate));
}
