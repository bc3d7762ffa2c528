/* Checks of a scene: what must hold of the result. Whether a metric exists is for io/metric.h
 * to say, once the world is there. */
#include <math.h>

#include "io/scene_build.h"

static double given_or(const xs_json *object, const char *key, double otherwise) {
  const xs_json *value = xs_json_member(object, key);
  return value != NULL ? value->number : otherwise;
}

static void build_reference(xs_build *build, const xs_json *value, xs_check *check) {
  const xs_json *times = xs_json_member(value, "time"), *values = xs_json_member(value, "value");
  if (times->count != values->count) {
    xs_scene_build_error(build, values,
                         "a reference needs a value for each time: found %d for %d times",
                         values->count, times->count);
    return;
  }
  if (!xs_scene_build_increases(build, times)) return;

  /* All within the run; the end may be rounded. */
  const xs_time *time = &build->world->time;
  for (const xs_json *item = times->first; item != NULL && time->step > 0; item = item->next)
    if (item->number < 0 || item->number > time->duration * (1 + 1e-9))
      xs_scene_build_error(build, item, "the run goes from 0 to %.12g s and has no time %.12g",
                           time->duration, item->number);
  check->n_reference = times->count;
  check->reference_time = xs_scene_build_numbers(build, times);
  check->reference_value = xs_scene_build_numbers(build, values);
}

static void build_check(xs_build *build, const xs_json *value, xs_check *check) {
  *check = (xs_check){
      .metric = xs_scene_build_string(value, "metric"),
      .from = given_or(value, "from", -INFINITY),
      .to = given_or(value, "to", INFINITY),
      .below = given_or(value, "below", NAN),
      .above = given_or(value, "above", NAN),
      .equals = given_or(value, "equals", NAN),
      .within = given_or(value, "within", NAN),
  };
  const xs_json *reference = xs_json_member(value, "reference");
  if (reference != NULL) build_reference(build, reference, check);
  if (check->above >= check->below)
    xs_scene_build_error(build, value, "nothing is above %.12g and below %.12g", check->above,
                         check->below);
  if (check->from > check->to)
    xs_scene_build_error(build, value, "no time is from %.12g to %.12g", check->from, check->to);
  else if (build->world->time.step > 0 && check->from > build->world->time.duration)
    xs_scene_build_error(build, xs_json_member(value, "from"),
                         "the run ends at %.12g s, before %.12g", build->world->time.duration,
                         check->from);
}

void xs_scene_build_checks(xs_build *build) {
  int i = 0;
  for (const xs_json *item = xs_scene_build_list(build, "checks")->first; item != NULL;
       item = item->next, i++)
    if (item->type != XS_JSON_NULL) build_check(build, item, &build->world->checks[i]);
}
