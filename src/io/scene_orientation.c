/* Orientations, axes and frames of a scene, checked and normalised.
 *
 * Zero axes and quaternions are refused; others are normalised, with a warning when their
 * length is off by more than 1e-6. A matrix must be a rotation within 1e-6 and becomes the
 * nearest quaternion that Shepperd's formula gives. Orientations have w >= 0. */
#include <math.h>

#include "io/scene_build.h"

static const double tolerance = 1e-6;

/* Divides the n numbers by their length; returns the length, 0 if all are zero. Scaled by
 * the largest first, so that squares neither overflow nor vanish. */
static double normalize(double *a, int n) {
  double largest = 0, sum = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i]));
  if (largest == 0) return 0;
  for (int i = 0; i < n; i++) {
    a[i] /= largest;
    sum += a[i] * a[i];
  }
  for (int i = 0; i < n; i++) a[i] /= sqrt(sum);
  return largest * sqrt(sum);
}

/* Reads n numbers and normalises them. */
static int read_direction(xs_build *build, const xs_json *value, const char *what, double *a,
                          int n) {
  /* Numbers of length 1 within round-off are left as they are. */
  double given[4] = {0}, sum = 0;
  int i = 0;
  for (const xs_json *item = value->first; item != NULL; item = item->next) {
    a[i] = given[i] = item->number;
    sum += given[i] * given[i];
    i++;
  }
  const double length = normalize(a, n);
  if (length == 0) {
    xs_scene_build_error(build, value, "the %s is zero and has no direction", what);
    return 0;
  }
  if (fabs(length - 1) > tolerance)
    xs_scene_build_warning(build, value, "the %s has length %.9g; it was normalised", what, length);
  if (fabs(sum - 1) <= 0x1p-51)
    for (i = 0; i < n; i++) a[i] = given[i];
  return 1;
}

int xs_scene_build_axis(xs_build *build, const xs_json *value, xs_vec3 *axis) {
  double a[3] = {0};
  if (!read_direction(build, value, "axis", a, 3)) return 0;
  *axis = xs_vec3_make(a[0], a[1], a[2]);
  return 1;
}

static xs_quat positive(xs_quat q) { return q.w < 0 ? (xs_quat){-q.w, -q.x, -q.y, -q.z} : q; }

static int from_axis_angle(xs_build *build, const xs_json *value, xs_quat *q) {
  xs_vec3 axis;
  if (!xs_scene_build_axis(build, xs_json_member(value, "axis"), &axis)) return 0;
  double s, c;
  xs_trig_sincos(0.5 * xs_scene_build_number(value, "angle"), &s, &c);
  *q = (xs_quat){c, s * axis.x, s * axis.y, s * axis.z};
  return 1;
}

static int from_quaternion(xs_build *build, const xs_json *value, xs_quat *q) {
  double a[4] = {0};
  if (!read_direction(build, value, "quaternion", a, 4)) return 0;
  *q = (xs_quat){a[0], a[1], a[2], a[3]};
  return 1;
}

static int from_matrix(xs_build *build, const xs_json *value, xs_quat *q) {
  xs_mat3 R = {0};
  int i = 0;
  for (const xs_json *row = value->first; row != NULL; row = row->next, i++) {
    const xs_vec3 a = xs_scene_build_vec3(row);
    R.m[i][0] = a.x, R.m[i][1] = a.y, R.m[i][2] = a.z;
  }

  /* Orthogonality, then handedness. */
  const xs_mat3 product = xs_mat3_tmul(R, R);
  double off = 0;
  for (i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double error = fabs(product.m[i][j] - (i == j));
      if (!(error <= off)) off = error;
    }
  const double det =
      xs_vec3_dot(xs_mat3_row(&R, 0), xs_vec3_cross(xs_mat3_row(&R, 1), xs_mat3_row(&R, 2)));
  if (!(off <= tolerance)) {
    xs_scene_build_error(
        build, value,
        "the matrix is no rotation: R^T R differs from the identity by %.3g, at most "
        "%g is allowed",
        off, tolerance);
    return 0;
  }
  if (det < 0) {
    xs_scene_build_error(build, value, "the matrix is a reflection: its determinant is %.3g, not 1",
                         det);
    return 0;
  }
  *q = xs_so3_from_matrix(&R);
  return 1;
}

static xs_quat from_rotation_vector(const xs_json *value) {
  /* By angle and axis, as the exponential's polynomials end at a half turn. */
  const xs_vec3 v = xs_scene_build_vec3(value);
  double a[3] = {v.x, v.y, v.z}, s, c;
  const double angle = normalize(a, 3);
  xs_trig_sincos(0.5 * angle, &s, &c);
  return angle == 0 ? xs_quat_identity() : (xs_quat){c, s * a[0], s * a[1], s * a[2]};
}

int xs_scene_build_orientation(xs_build *build, const xs_json *value, xs_quat *q) {
  const xs_json *quaternion = xs_json_member(value, "quaternion");
  const xs_json *matrix = xs_json_member(value, "matrix");
  const xs_json *vector = xs_json_member(value, "rotation_vector");
  int good = 1;
  *q = xs_quat_identity();
  if (quaternion != NULL)
    good = from_quaternion(build, quaternion, q);
  else if (matrix != NULL)
    good = from_matrix(build, matrix, q);
  else if (vector != NULL)
    *q = from_rotation_vector(vector);
  else
    good = from_axis_angle(build, value, q);
  *q = positive(*q);
  return good;
}

int xs_scene_build_frame(xs_build *build, const xs_json *value, xs_frame *frame) {
  frame->r = xs_scene_build_vec3(xs_json_member(value, "position"));
  return xs_scene_build_orientation(build, xs_json_member(value, "orientation"), &frame->q);
}
