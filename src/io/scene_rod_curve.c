#include "io/scene_rod.h"
struct xs_rod_curve {
  int n;
};
xs_rod_curve *xs_rod_curve_create(xs_build *build, const xs_json *points, double *length) {
  xs_scene_build_error(build, points, "this version does not support curves yet");
  *length = 0;
  return NULL;
}
xs_rod_place xs_rod_curve_at(xs_rod_curve *curve, double s) {
  (void)curve;
  (void)s;
  return (xs_rod_place){0};
}
void xs_rod_curve_rewind(xs_rod_curve *curve) { (void)curve; }
