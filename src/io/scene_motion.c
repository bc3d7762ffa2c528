/* Prescribed motions of a scene: of bodies, and of joints' first frames (model/motion.h). */
#include "io/scene_build.h"

const xs_motion *xs_scene_build_motion(xs_build *build, const xs_json *value, xs_quat q_carrier) {
  const int errors = build->report->n_errors;
  const xs_json *translation = xs_json_member(value, "translation");
  const xs_json *rotation = xs_json_member(value, "rotation");
  xs_motion *motion = XS_BUILD_NEW(build, xs_motion, 1);
  if (motion == NULL) return NULL;
  motion->q_carrier = q_carrier;
  if (translation != NULL) motion->translation = xs_scene_build_timefn3(build, translation);

  /* One of two forms. */
  if (rotation != NULL) {
    const xs_json *vector = xs_json_member(rotation, "vector");
    if (vector != NULL) {
      motion->vector = xs_scene_build_timefn3(build, vector);
    } else {
      (void)xs_scene_build_axis(build, xs_json_member(rotation, "axis"), &motion->axis);
      motion->angle = xs_scene_build_timefn_given(build, xs_json_member(rotation, "angle"));
    }
  }
  return build->report->n_errors == errors ? motion : NULL;
}

xs_frame xs_scene_build_moved(const xs_motion *motion, xs_frame frame) {
  xs_vec3 translation;
  xs_quat rotation;
  if (motion == NULL) return frame;
  xs_motion_at(motion, 0, &translation, &rotation);
  return (xs_frame){xs_vec3_add(frame.r, translation), xs_quat_mul(rotation, frame.q)};
}
