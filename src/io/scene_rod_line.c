/* Centrelines of rods in their pose's frame: straight, helix, arc; curves are handed on.
 *
 *   straight  p = (0, 0, s),                      R = I,          u = 0
 *   helix     p = (r cos t, r sin t, c t),        R = [N B T],    u = (0, r/q^2, c/q^2)
 *             t = s/q, q^2 = r^2 + c^2, N = (-cos t, -sin t, 0), T = (-r sin t, r cos t, c)/q,
 *             B = T x N
 *   arc       p = r (1 - cos a, 0, sin a), a = s/r,  R = Exp(a y),  u = (0, 1/r, 0)        */
#include <math.h>

#include "io/scene_rod.h"

static const char *const types[] = {"straight", "helix", "arc", "curve", NULL};
_Static_assert(XS_ROD_LINE_STRAIGHT == 0 && XS_ROD_LINE_CURVE == 3, "order of the words");

int xs_scene_rod_line_read(xs_build *build, const xs_json *value, xs_rod_line *line) {
  *line = (xs_rod_line){.type = (xs_rod_line_type)xs_scene_build_word(value, "type", types)};
  switch (line->type) {
    case XS_ROD_LINE_STRAIGHT:
      line->length = xs_scene_build_number(value, "length");
      break;
    case XS_ROD_LINE_HELIX: {
      const double turn = 2 * XS_PI * xs_scene_build_number(value, "turns");
      line->radius = xs_scene_build_number(value, "radius");
      line->rise = xs_scene_build_number(value, "height") / turn;
      line->length = turn * hypot(line->radius, line->rise);
      break;
    }
    case XS_ROD_LINE_ARC:
      line->radius = xs_scene_build_number(value, "radius");
      line->length = line->radius * xs_scene_build_number(value, "angle");
      break;
    case XS_ROD_LINE_CURVE:
      line->curve =
          xs_scene_rod_curve_create(build, xs_json_member(value, "points"), &line->length);
      if (line->curve == NULL) return 0;
      break;
  }
  if (line->length > 0 && isfinite(line->length) && isfinite(1 / line->length)) return 1;
  xs_scene_build_error(
      build, value, "the rod's length %.12g m is out of range: give a shape that is longer than 0",
      line->length);
  return 0;
}

static xs_rod_place helix_at(const xs_rod_line *line, double s) {
  const double r = line->radius, c = line->rise, q = hypot(r, c);
  double sine, cosine;
  xs_trig_sincos(s / q, &sine, &cosine);
  const xs_vec3 N = {-cosine, -sine, 0}, T = {-r / q * sine, r / q * cosine, c / q};
  const xs_vec3 B = xs_vec3_cross(T, N);
  const xs_mat3 R = {{{N.x, B.x, T.x}, {N.y, B.y, T.y}, {N.z, B.z, T.z}}};
  return (xs_rod_place){.frame = {{r * cosine, r * sine, c * (s / q)}, xs_so3_from_matrix(&R)},
                        .bend = {0, r / q / q, c / q / q},
                        .turned = s / q};
}

static xs_rod_place arc_at(const xs_rod_line *line, double s) {
  const double r = line->radius, a = s / r;
  double sine, cosine;
  xs_trig_sincos(0.5 * a, &sine, &cosine);
  return (xs_rod_place){
      .frame = {{2 * r * sine * sine, 0, 2 * r * sine * cosine}, {cosine, 0, sine, 0}},
      .bend = {0, 1 / r, 0},
      .turned = a};
}

xs_rod_place xs_scene_rod_line_at(xs_rod_line *line, double s) {
  switch (line->type) {
    case XS_ROD_LINE_HELIX:
      return helix_at(line, s);
    case XS_ROD_LINE_ARC:
      return arc_at(line, s);
    case XS_ROD_LINE_CURVE:
      return xs_scene_rod_curve_at(line->curve, s);
    case XS_ROD_LINE_STRAIGHT:
      break;
  }
  return (xs_rod_place){.frame = {{0, 0, s}, xs_quat_identity()}};
}

void xs_scene_rod_line_rewind(xs_rod_line *line) {
  if (line->curve != NULL) xs_scene_rod_curve_rewind(line->curve);
}
