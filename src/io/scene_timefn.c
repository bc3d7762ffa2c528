/* Functions of time of a scene: numbers, ramps, sines, tables, sums and products, as trees
 * of xs_timefn (model/timefn.h). A constant 0 is NULL, which the model evaluates to 0. */
#include "io/scene_build.h"

double *xs_scene_build_numbers(xs_build *build, const xs_json *array) {
  double *numbers = XS_BUILD_NEW(build, double, array->count);
  int i = 0;
  if (numbers != NULL)
    for (const xs_json *item = array->first; item != NULL; item = item->next)
      numbers[i++] = item->number;
  return numbers;
}

int xs_scene_build_increases(xs_build *build, const xs_json *array) {
  for (const xs_json *item = array->first; item->next != NULL; item = item->next)
    if (!(item->next->number > item->number)) {
      xs_scene_build_error(build, item->next, "times must increase strictly: %.12g follows %.12g",
                           item->next->number, item->number);
      return 0;
    }
  return 1;
}

static void build_ramp(xs_build *build, const xs_json *value, xs_timefn *f) {
  f->kind = XS_TIMEFN_RAMP;
  f->u.ramp.from = xs_scene_build_number(value, "from");
  f->u.ramp.to = xs_scene_build_number(value, "to");
  f->u.ramp.start = xs_scene_build_number(value, "start");
  f->u.ramp.end = xs_scene_build_number(value, "end");
  f->u.ramp.smooth = xs_scene_build_number(value, "smooth") != 0;
  if (!(f->u.ramp.end > f->u.ramp.start))
    xs_scene_build_error(build, xs_json_member(value, "end"),
                         "a ramp must end after its start at %.12g s, found %.12g", f->u.ramp.start,
                         f->u.ramp.end);
}

static void build_sine(const xs_json *value, xs_timefn *f) {
  f->kind = XS_TIMEFN_SINE;
  f->u.sine.offset = xs_scene_build_number(value, "offset");
  f->u.sine.amplitude = xs_scene_build_number(value, "amplitude");
  f->u.sine.frequency = xs_scene_build_number(value, "frequency");
  f->u.sine.phase = xs_scene_build_number(value, "phase");
}

static void build_table(xs_build *build, const xs_json *value, xs_timefn *f) {
  const xs_json *times = xs_json_member(value, "time"), *values = xs_json_member(value, "value");
  f->kind = XS_TIMEFN_TABLE;
  if (times->count != values->count) {
    xs_scene_build_error(build, values,
                         "a table needs a value for each time: found %d for %d times",
                         values->count, times->count);
    return;
  }
  if (!xs_scene_build_increases(build, times)) return;
  f->u.table.n = times->count;
  f->u.table.time = xs_scene_build_numbers(build, times);
  f->u.table.value = xs_scene_build_numbers(build, values);

  /* A natural spline through the values. */
  static const char *const interpolations[] = {"linear", "cubic", NULL};
  if (xs_scene_build_word(value, "interpolation", interpolations) == 0) return;
  double *slope = XS_BUILD_NEW(build, double, f->u.table.n);
  double *work = XS_BUILD_NEW(build, double, f->u.table.n);
  if (f->u.table.time == NULL || f->u.table.value == NULL || slope == NULL || work == NULL) return;
  xs_timefn_spline_slopes(f->u.table.n, f->u.table.time, f->u.table.value, slope, work);
  f->u.table.slope = slope;
}

static void build_terms(xs_build *build, const xs_json *value, xs_timefn_kind kind, xs_timefn *f) {
  const xs_timefn **term = XS_BUILD_NEW(build, const xs_timefn *, value->count);
  f->kind = kind;
  f->u.terms.n = value->count;
  f->u.terms.term = term;
  if (term == NULL) return;
  for (const xs_json *item = value->first; item != NULL; item = item->next)
    *term++ = xs_scene_build_timefn(build, item);
}

const xs_timefn *xs_scene_build_timefn(xs_build *build, const xs_json *value) {
  if (value->type == XS_JSON_NUMBER && value->number == 0) return NULL;
  xs_timefn *f = XS_BUILD_NEW(build, xs_timefn, 1);
  if (f == NULL) return NULL;
  if (value->type == XS_JSON_NUMBER) {
    f->kind = XS_TIMEFN_CONSTANT;
    f->u.constant = value->number;
    return f;
  }

  /* The one member says which function it is. */
  const xs_json *ramp = xs_json_member(value, "ramp"), *sine = xs_json_member(value, "sine");
  const xs_json *table = xs_json_member(value, "table"), *sum = xs_json_member(value, "sum");
  if (ramp != NULL)
    build_ramp(build, ramp, f);
  else if (sine != NULL)
    build_sine(sine, f);
  else if (table != NULL)
    build_table(build, table, f);
  else if (sum != NULL)
    build_terms(build, sum, XS_TIMEFN_SUM, f);
  else
    build_terms(build, xs_json_member(value, "product"), XS_TIMEFN_PRODUCT, f);
  return f;
}

const xs_timefn *xs_scene_build_timefn_given(xs_build *build, const xs_json *value) {
  const xs_timefn *f = xs_scene_build_timefn(build, value);
  return f != NULL ? f : XS_BUILD_NEW(build, xs_timefn, 1);
}

xs_timefn3 xs_scene_build_timefn3(xs_build *build, const xs_json *value) {
  const xs_json *x = value->first, *y = x->next, *z = y->next;
  return (xs_timefn3){xs_scene_build_timefn(build, x), xs_scene_build_timefn(build, y),
                      xs_scene_build_timefn(build, z)};
}
