/* Mutations by the table (mutate.h). */
#include "mutate.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_scan.h"

/* ---- Chance ---- */

/* xorshift64*. */
static uint64_t chance_state;
static uint32_t chance(uint32_t n) {
  chance_state ^= chance_state >> 12;
  chance_state ^= chance_state << 25;
  chance_state ^= chance_state >> 27;
  return n > 0 ? (uint32_t)((chance_state * 0x2545F4914F6CDD1DULL) >> 32) % n : 0;
}

/* ---- Places of a document ---- */

/* A value with what the table knows of it: type and range, or the object; NULL where unknown. */
typedef struct place {
  cJSON *value, *parent;
  const xs_type *type;
  const xs_object *object;
  xs_range range;
} place;

enum { PLACES_MAX = 4096, NAMES_MAX = 64 };
static place places[PLACES_MAX];
static int n_places;
static const char *names[NAMES_MAX]; /* strings under "name" and keys of maps */
static int n_names;

static const xs_range any_range = {-INFINITY, INFINITY, 0, 0};

/* The option of a choice that a value of this form would be; another for NULL. */
static const xs_type *resolve(const xs_type *type, const cJSON *value) {
  while (type != NULL && type->kind == XS_TYPE_CHOICE) {
    int n = 0, fitting = 0;
    const xs_type *picked = NULL;
    for (const xs_type *const *option = type->options; *option != NULL; option++) n++;
    for (int i = 0; i < n; i++) {
      const xs_type *option = type->options[i];
      const int fits =
          value == NULL || (cJSON_IsArray(value) && option->kind == XS_TYPE_ARRAY) ||
          (cJSON_IsObject(value) &&
           (option->kind == XS_TYPE_OBJECT || option->kind == XS_TYPE_ANGLE)) ||
          (cJSON_IsNumber(value) && option->kind <= XS_TYPE_INTEGER) ||
          (cJSON_IsString(value) && option->kind >= XS_TYPE_STRING && option->kind <= XS_TYPE_WORD);
      if (fits && chance((uint32_t)++fitting) == 0) picked = option;
    }
    type = picked != NULL ? picked : type->options[chance((uint32_t)n)];
  }
  return type;
}

static const char *variant_of(const cJSON *object) {
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(object, "type");
  return cJSON_IsString(type) ? type->valuestring : NULL;
}

static void note_name(const char *name) {
  if (name != NULL && n_names < NAMES_MAX) names[n_names++] = name;
}

static void gather(cJSON *value, cJSON *parent, const xs_type *type, const xs_object *object,
                   xs_range range) {
  if (n_places == PLACES_MAX) return;
  type = resolve(type, value);
  if (object == NULL && type != NULL && type->kind == XS_TYPE_OBJECT) object = type->object;
  if (object == NULL && type != NULL && type->kind == XS_TYPE_ANGLE)
    object = &xs_scene_degrees_object;
  places[n_places++] = (place){value, parent, type, object, range};
  if (value->string != NULL && strcmp(value->string, "name") == 0 && cJSON_IsString(value))
    note_name(value->valuestring);

  for (cJSON *child = value->child; child != NULL; child = child->next) {
    if (cJSON_IsObject(value) && object != NULL) {
      const xs_key *key = xs_scene_table_key(object, child->string, variant_of(value));
      gather(child, value, key != NULL ? key->type : NULL, NULL,
             key != NULL ? key->range : any_range);
    } else {
      const int holds = type != NULL && (type->kind == XS_TYPE_ARRAY || type->kind == XS_TYPE_MAP);
      if (type != NULL && type->kind == XS_TYPE_MAP) note_name(child->string);
      gather(child, value, holds ? type->item : NULL, NULL, range);
    }
  }
}

/* ---- New values ---- */

static const double numbers[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 0.5,
                                 10,
                                 100,
                                 1e3,
                                 1e4,
                                 1e6,
                                 1e9,
                                 1e-1,
                                 1e-2,
                                 1e-3,
                                 1e-6,
                                 1e-9,
                                 1e-12,
                                 1e-100,
                                 1e-300,
                                 5e-324,
                                 1e100,
                                 1e300,
                                 1.7976931348623157e308,
                                 -0.5,
                                 -1e-9,
                                 -1e300,
                                 3.141592653589793,
                                 6.283185307179586,
                                 1.5707963267948966,
                                 -3.141592653589793,
                                 2147483647,
                                 -2147483648.0,
                                 4294967296.0,
                                 9007199254740993.0,
                                 0.1,
                                 0.01,
                                 0.02,
                                 0.9,
                                 1e5};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

static double make_number(xs_range range, int whole) {
  double x = numbers[chance(N_NUMBERS)];
  switch (chance(4)) {
    case 0: /* about the ends of the range */
      if (isfinite(range.lo)) x = range.lo;
      if (isfinite(range.hi) && (chance(2) || !isfinite(range.lo))) x = range.hi;
      break;
    case 1: /* inside a bounded range, or of usual size */
      x = (double)chance(1000001) / 1e6;
      if (isfinite(range.lo) && isfinite(range.hi)) x = range.lo + x * (range.hi - range.lo);
      break;
    case 2:
      x = chance(8);
      break;
    default:
      break;
  }
  return whole ? round(fmin(fmax(x, -1e15), 1e15)) : x;
}

static double change_number(double x, xs_range range) {
  static const double factors[] = {-1, 0.5, 2, 10, 0.1, 1.01, 1e3, 1e-3, 1e-9, 1e9};
  if (chance(2)) return make_number(range, x == floor(x) && chance(2));
  switch (chance(4)) {
    case 0:
      return x + 1;
    case 1:
      return x - 1;
    case 2:
      return nextafter(x, chance(2) ? INFINITY : -INFINITY);
    default:
      return x * factors[chance(sizeof factors / sizeof *factors)];
  }
}

static cJSON *make_value(const xs_type *type, const xs_object *object, xs_range range, int depth);

static cJSON *make_object(const xs_object *object, int depth) {
  cJSON *made = cJSON_CreateObject();
  int n_keys = 0, n_forms = 0;
  const char *form = NULL, *variant = NULL;
  const xs_key *type = xs_scene_table_key(object, "type", NULL);
  if (type != NULL && type->type->kind == XS_TYPE_WORD) {
    int n = 0;
    while (type->type->words[n] != NULL) n++;
    variant = type->type->words[chance((uint32_t)n)];
  }
  for (const char *const *f = object->forms; f != NULL && *f != NULL; f++)
    if (chance((uint32_t)++n_forms) == 0) form = *f;

  for (const xs_key *key = object->keys; key->name != NULL; key++, n_keys++) {
    if (!xs_scene_table_applies(key, variant)) continue;
    int wanted = key->fallback == xs_scene_required || chance(6) == 0;
    if (xs_scene_table_governs(object, key->name))
      wanted = form != NULL && xs_scene_table_lists(form, '+', key->name);
    if (!wanted || cJSON_GetObjectItemCaseSensitive(made, key->name) != NULL) continue;
    cJSON *value = key == type && variant != NULL
                       ? cJSON_CreateString(variant)
                       : make_value(key->type, NULL, key->range, depth + 1);
    if (value != NULL) cJSON_AddItemToObject(made, key->name, value);
  }
  return made;
}

static cJSON *make_array(const xs_type *type, xs_range range, int depth) {
  cJSON *made = cJSON_CreateArray();
  int n = type->min_items + (int)chance(3);
  if (type->max_items > 0 && n > type->max_items) n = type->max_items;
  for (int i = 0; i < n; i++) {
    cJSON *item = make_value(type->item, NULL, range, depth + 1);
    if (item != NULL) cJSON_AddItemToArray(made, item);
  }
  return made;
}

static cJSON *make_value(const xs_type *type, const xs_object *object, xs_range range, int depth) {
  static const char *const texts[] = {"",
                                      "a",
                                      "b1",
                                      "energy.total.max",
                                      "bodies.0.position.z.final",
                                      "rods.beam.position.end.x.final",
                                      "joints.force.0.norm.max"};
  type = resolve(type, NULL);
  if (depth > 8) return cJSON_CreateNumber(1);
  if (object != NULL) return make_object(object, depth);
  if (type == NULL) return cJSON_CreateNumber(make_number(range, 0));
  int n_words = 0;
  switch (type->kind) {
    case XS_TYPE_NUMBER:
    case XS_TYPE_INTEGER:
      return cJSON_CreateNumber(make_number(range, type->kind == XS_TYPE_INTEGER));
    case XS_TYPE_ANGLE:
      return chance(3) ? cJSON_CreateNumber(make_number(range, 0))
                       : make_object(&xs_scene_degrees_object, depth);
    case XS_TYPE_BOOL:
      return cJSON_CreateBool((int)chance(2));
    case XS_TYPE_WORD:
    case XS_TYPE_REFERENCE:
    case XS_TYPE_NAME:
      while (type->words != NULL && type->words[n_words] != NULL) n_words++;
      if (n_words > 0 && (type->kind == XS_TYPE_WORD || n_names == 0 || chance(4) == 0))
        return cJSON_CreateString(type->words[chance((uint32_t)n_words)]);
      if (n_names > 0 && type->kind == XS_TYPE_REFERENCE)
        return cJSON_CreateString(names[chance((uint32_t)n_names)]);
      {
        char name[3] = {(char)('a' + chance(26)), (char)('a' + chance(26)), '\0'};
        return cJSON_CreateString(name);
      }
    case XS_TYPE_STRING:
      if (n_names > 0 && chance(2)) return cJSON_CreateString(names[chance((uint32_t)n_names)]);
      return cJSON_CreateString(texts[chance(sizeof texts / sizeof *texts)]);
    case XS_TYPE_ARRAY:
      return make_array(type, range, depth);
    case XS_TYPE_MAP: {
      cJSON *made = cJSON_CreateObject();
      cJSON_AddItemToObject(made, "m", make_value(type->item, NULL, range, depth + 1));
      return made;
    }
    case XS_TYPE_OBJECT:
      return make_object(type->object, depth);
    default:
      return cJSON_CreateNull();
  }
}

/* ---- Changes ---- */

static void replace(const place *p, cJSON *by) {
  if (by == NULL) return;
  if (p->parent == NULL) {
    cJSON_Delete(by);
  } else if (cJSON_IsArray(p->parent)) {
    cJSON_ReplaceItemViaPointer(p->parent, p->value, by);
  } else {
    char *key = strdup(p->value->string);
    if (key != NULL) cJSON_ReplaceItemInObjectCaseSensitive(p->parent, key, by);
    free(key);
  }
}

/* A key of the table that the object does not have yet. */
static void add_key(const place *p) {
  const xs_key *picked = NULL;
  uint32_t n = 0;
  for (const xs_key *key = p->object->keys; key->name != NULL; key++)
    if (xs_scene_table_applies(key, variant_of(p->value)) &&
        cJSON_GetObjectItemCaseSensitive(p->value, key->name) == NULL && chance(++n) == 0)
      picked = key;
  if (picked == NULL) return;
  cJSON *made = picked->fallback != NULL && picked->fallback != xs_scene_required && !chance(3)
                    ? cJSON_Parse(picked->fallback)
                    : make_value(picked->type, NULL, picked->range, 1);
  if (made != NULL) cJSON_AddItemToObject(p->value, picked->name, made);
}

/* One more item: a copy of one that is there, with another name if it has one. */
static void add_item(const place *p) {
  const int n = cJSON_GetArraySize(p->value);
  cJSON *made = NULL;
  if (n > 0 && chance(3)) {
    made = cJSON_Duplicate(cJSON_GetArrayItem(p->value, (int)chance((uint32_t)n)), 1);
    cJSON *name = cJSON_GetObjectItemCaseSensitive(made, "name");
    if (cJSON_IsString(name) && chance(8)) {
      char text[8] = {'n', (char)('0' + chance(10)), (char)('0' + chance(10)), '\0'};
      cJSON_ReplaceItemInObjectCaseSensitive(made, "name", cJSON_CreateString(text));
    }
  } else {
    made = make_value(p->type != NULL ? p->type->item : NULL, NULL, p->range, 1);
  }
  if (made != NULL && !cJSON_InsertItemInArray(p->value, (int)chance((uint32_t)n + 1), made))
    cJSON_Delete(made);
}

/* One change at a random place; what it may have freed is gathered anew by the caller. */
static void change(void) {
  const place *p = &places[chance((uint32_t)n_places)];
  /* Numbers are many and dull where they are long lists: now and then look for something else. */
  for (int i = 0; i < 3 && cJSON_IsNumber(p->value) && cJSON_IsArray(p->parent) && chance(2); i++)
    p = &places[chance((uint32_t)n_places)];

  switch (chance(10)) {
    case 0: /* nothing there any more */
      if (p->parent != NULL) cJSON_Delete(cJSON_DetachItemViaPointer(p->parent, p->value));
      return;
    case 1: /* a value from elsewhere */
      replace(p, cJSON_Duplicate(places[chance((uint32_t)n_places)].value, 1));
      return;
    case 2: /* a value of no allowed form */
      if (chance(4)) break;
      replace(p, chance(2)   ? cJSON_CreateNumber(make_number(any_range, 0))
                 : chance(2) ? cJSON_CreateString("x")
                 : chance(2) ? cJSON_CreateArray()
                 : chance(2) ? cJSON_CreateNull()
                             : cJSON_CreateObject());
      return;
    default:
      break;
  }
  if (p->value != NULL && cJSON_IsNumber(p->value) && chance(8))
    cJSON_SetNumberValue(p->value, change_number(p->value->valuedouble, p->range));
  else if (cJSON_IsObject(p->value) && p->object != NULL && chance(4))
    add_key(p);
  else if (cJSON_IsArray(p->value) && chance(4))
    add_item(p);
  else
    replace(p, make_value(p->type, p->object, p->range, 0));
}

/* ---- Documents ---- */

/* By the scanner's copy of the text, which has no comments. */
static cJSON *read_document(const uint8_t *text, size_t size) {
  static xs_report report;
  report = (xs_report){0};
  xs_json_scan scan = {.text = (const char *)text, .length = size, .source = "", .report = &report};
  cJSON *tree = NULL;
  if (xs_json_scan_text(&scan) == XS_OK) tree = cJSON_Parse(scan.clean);
  xs_json_scan_free(&scan);
  return tree;
}

static size_t write_document(const cJSON *tree, uint8_t *out, size_t max_size) {
  char *text = cJSON_PrintUnformatted(tree);
  const size_t size = text != NULL ? strlen(text) : 0;
  if (size > 0 && size <= max_size) memcpy(out, text, size);
  cJSON_free(text);
  return size <= max_size ? size : 0;
}

/* cJSON 1.7.15 does not always keep the links to the siblings before, and to the last child from
 * the first, and then refuses to insert. */
static void mend_links(cJSON *value) {
  cJSON *last = NULL;
  for (cJSON *child = value->child; child != NULL; last = child, child = child->next) {
    mend_links(child);
    child->prev = last;
  }
  if (last != NULL) value->child->prev = last;
}

static void gather_all(cJSON *tree, const xs_object *root) {
  n_places = n_names = 0;
  mend_links(tree);
  gather(tree, NULL, NULL, root, any_range);
}

size_t fuzz_mutate(const xs_object *root, const uint8_t *text, size_t size, uint8_t *out,
                   size_t max_size, unsigned seed) {
  chance_state = 0x9E3779B97F4A7C15ULL ^ ((uint64_t)seed << 17 | 1);
  for (int i = 0; i < 4; i++) (void)chance(2);
  cJSON *tree = read_document(text, size);
  if (tree == NULL) return 0;
  for (int left = 1 + (int)chance(4); left > 0; left--) {
    gather_all(tree, root);
    change();
  }
  const size_t written = write_document(tree, out, max_size);
  cJSON_Delete(tree);
  return written;
}

size_t fuzz_mutate_cross(const uint8_t *text, size_t size, const uint8_t *other, size_t other_size,
                         uint8_t *out, size_t max_size, unsigned seed) {
  static place given[PLACES_MAX];
  chance_state = 0x9E3779B97F4A7C15ULL ^ ((uint64_t)seed << 17 | 1);
  for (int i = 0; i < 4; i++) (void)chance(2);
  cJSON *tree = read_document(text, size), *donor = read_document(other, other_size);
  size_t written = 0;
  if (tree != NULL && donor != NULL) {
    gather_all(donor, NULL);
    memcpy(given, places, (size_t)n_places * sizeof *places);
    const int n_given = n_places;
    gather_all(tree, NULL);
    const place *p = &places[chance((uint32_t)n_places)];
    const cJSON *picked = NULL;
    uint32_t n = 0;
    for (int i = 0; i < n_given && p->value->string != NULL; i++)
      if (given[i].value->string != NULL && strcmp(given[i].value->string, p->value->string) == 0 &&
          chance(++n) == 0)
        picked = given[i].value;
    if (picked != NULL) replace(p, cJSON_Duplicate(picked, 1));
    written = write_document(tree, out, max_size);
  }
  cJSON_Delete(tree);
  cJSON_Delete(donor);
  return written;
}
