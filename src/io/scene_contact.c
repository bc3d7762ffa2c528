/* What touches: the scene's contact object, and what it does not go together with. */
#include <math.h>
#include <string.h>

#include "base/suggest.h"
#include "io/scene_build.h"

/* Index of a body, n_bodies + index of a rod, or -1, which is reported. */
static int side_of(xs_build *build, const xs_json *value) {
  const xs_name_list *bodies = xs_scene_names_list(build->names, "bodies");
  const xs_name_list *rods = xs_scene_names_list(build->names, "rods");
  const int body = xs_scene_names_find(bodies, value->string);
  const int rod = xs_scene_names_find(rods, value->string);
  if (body >= 0 && rod >= 0) {
    xs_scene_build_error(build, value,
                         "a body and a rod are both called \"%s\": give one of them another name",
                         value->string);
    return -1;
  }
  if (body >= 0) return body;
  if (rod >= 0) return build->world->n_bodies + rod;

  const int n = bodies->n + rods->n;
  const char **names = XS_BUILD_NEW(build, const char *, n);
  char hint[512];
  if (names == NULL) return -1;
  if (bodies->n > 0) memcpy(names, bodies->in_order, (size_t)bodies->n * sizeof *names);
  if (rods->n > 0) memcpy(names + bodies->n, rods->in_order, (size_t)rods->n * sizeof *names);
  xs_scene_build_error(build, value, "there is no body or rod \"%s\"; %s", value->string,
                       xs_suggest_hint(value->string, n, names, hint, sizeof hint));
  return -1;
}

static void build_exclude(xs_build *build, const xs_json *list) {
  xs_contact_options *contact = &build->world->contact;
  int(*pair)[2] = xs_scene_build_alloc(build, list->count, sizeof *pair);
  if (pair == NULL) return;
  for (const xs_json *item = list->first; item != NULL; item = item->next) {
    if (item->type == XS_JSON_NULL) continue;
    const int a = side_of(build, item->first), b = side_of(build, item->first->next);
    if (a < 0 || b < 0) continue;
    pair[contact->n_exclude][0] = a;
    pair[contact->n_exclude++][1] = b;
  }
  contact->exclude = (const int(*)[2])pair;
}

void xs_scene_build_contact(xs_build *build) {
  static const char *const orders[] = {"joints_first", "contacts_first", NULL};
  const xs_json *value = xs_json_member(build->tree, "contact");
  if (value == NULL || value->type == XS_JSON_NULL) return;
  build->world->contact = (xs_contact_options){
      .enabled = xs_scene_build_integer(value, "enabled"),
      .friction = xs_scene_build_number(value, "friction"),
      .restitution = xs_scene_build_number(value, "restitution"),
      .compliance = xs_scene_build_number(value, "compliance"),
      .self_contact = xs_scene_build_integer(value, "self_contact"),
      .joined = xs_scene_build_integer(value, "joined"),
      .detect_every_iteration = xs_scene_build_integer(value, "detect_every_iteration"),
      .contacts_first = xs_scene_build_word(value, "order", orders),
  };
  const xs_json *exclude = xs_json_member(value, "exclude");
  if (exclude != NULL && exclude->type == XS_JSON_ARRAY) build_exclude(build, exclude);
}

static int any_restitution(const xs_world *world) {
  if (world->contact.restitution > 0) return 1;
  for (int m = 0; m < world->n_materials; m++)
    if (world->materials[m].restitution > 0) return 1;
  return 0;
}

void xs_scene_build_check_contact(xs_build *build) {
  static const char *const integrators[] = {"euler", "rattle", "genalpha"};
  const xs_world *world = build->world;
  const xs_json *value = xs_json_member(build->tree, "contact");
  if (!world->contact.enabled) return;
  if (world->solver.mode == XS_MODE_STATIC)
    xs_scene_build_error(build, value,
                         "contact does not go with solver.mode static, which looks for equilibria "
                         "of what is held by joints: give mode dynamic, or contact.enabled false");
  else if (world->solver.integrator != XS_INTEGRATOR_EULER)
    xs_scene_build_error(build, value,
                         "contact does not go with solver.integrator %s, whose steps know no "
                         "impacts: give integrator euler, or contact.enabled false",
                         integrators[world->solver.integrator]);
  if (world->solver.constraints != XS_CONSTRAINTS_VECTOR)
    xs_scene_build_error(build, value,
                         "contact goes with constraints vector only: give that, or "
                         "contact.enabled false");
  if (world->contact.compliance > 0 && any_restitution(world))
    xs_scene_build_error(build, xs_json_member(value, "compliance"),
                         "a compliant contact is a spring and rebounds by itself: give compliance "
                         "0, or restitution 0 here and in all materials");
  const xs_rod *rod = world->rods;
  for (const xs_json *item = xs_scene_build_list(build, "rods")->first; item != NULL;
       item = item->next, rod++)
    if (rod->name != NULL && !(rod->contact_radius > 0))
      xs_scene_build_error(
          build, item,
          "contact needs the radius of the tube that touches, which a section that "
          "is not round does not say: give contact_radius");
  if (world->n_rods > 0 && world->solver.rod_solve != XS_ROD_SOLVE_BANDED)
    xs_scene_build_error(build, value,
                         "contacts of rods are solved with their band: give rod_solve banded, or "
                         "contact.enabled false");
  if (world->n_rods > 0 && world->contact.contacts_first)
    xs_scene_build_error(build, xs_json_member(value, "order"),
                         "contacts of rods are solved with their band, so that none comes first: "
                         "leave order out");
}
