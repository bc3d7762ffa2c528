/* The JSON Schema (2020-12) of scenes, written from the table of parameters.
 *
 * The scene is the root, every other object a definition under "$defs". A key carries its
 * meaning as "description", its unit as "x-unit" (unknown to the standard, ignored by
 * validators) and its "default". Which keys belong to which "type", and what a key with
 * several lines takes there, becomes if/then under "allOf", sets of keys that go together become
 * "oneOf"; nothing else may stand in an object. What the schema cannot see: whether names are
 * unique and known, and physics. */
#include <math.h>
#include <stdio.h>

#include "io/json_write.h"
#include "io/scene.h"
#include "io/scene_table.h"

#define NAME_PATTERN "^[A-Za-z_][A-Za-z0-9_-]{0,126}$" /* XS_READER_NAME_MAX */

/* Text that is being written: the stream, the indentation, whether a comma is due. */
typedef struct writer {
  FILE *stream;
  int depth, comma;
} writer;

static void start(writer *w) {
  if (w->comma) fputc(',', w->stream);
  if (w->depth > 0) fprintf(w->stream, "\n%*s", 2 * w->depth, "");
  w->comma = 1;
}

/* Begins an object or array as an item (key NULL) or member. */
static void begin(writer *w, const char *key, char bracket) {
  start(w);
  if (key != NULL) {
    xs_json_write_string(w->stream, key);
    fputs(": ", w->stream);
  }
  fputc(bracket, w->stream);
  w->depth++;
  w->comma = 0;
}

static void end(writer *w, char bracket) {
  w->depth--;
  if (w->comma) fprintf(w->stream, "\n%*s", 2 * w->depth, "");
  fputc(bracket, w->stream);
  w->comma = 1;
}

/* A member whose value is JSON text. */
static void raw(writer *w, const char *key, const char *json) {
  start(w);
  xs_json_write_string(w->stream, key);
  fprintf(w->stream, ": %s", json);
}

static void string(writer *w, const char *key, const char *value) {
  start(w);
  if (key != NULL) {
    xs_json_write_string(w->stream, key);
    fputs(": ", w->stream);
  }
  xs_json_write_string(w->stream, value);
}

static void real(writer *w, const char *key, double value) {
  start(w);
  xs_json_write_string(w->stream, key);
  fprintf(w->stream, ": %.17g", value);
}

static void words(writer *w, const char *key, const char *const *list) {
  begin(w, key, '[');
  for (; *list != NULL; list++) string(w, NULL, *list);
  end(w, ']');
}

/* ---- Types ---- */

static void write_type(writer *w, const xs_type *type, xs_range range);

static void write_number(writer *w, const char *type, xs_range range) {
  string(w, "type", type);
  if (isfinite(range.lo)) real(w, range.open_lo ? "exclusiveMinimum" : "minimum", range.lo);
  if (isfinite(range.hi)) real(w, range.open_hi ? "exclusiveMaximum" : "maximum", range.hi);
}

static void write_reference(writer *w, const xs_object *object) {
  start(w);
  fprintf(w->stream, "\"$ref\": \"#/$defs/%s\"", object->name);
}

static void write_array(writer *w, const xs_type *type, xs_range range) {
  string(w, "type", "array");
  begin(w, "items", '{');
  write_type(w, type->item, range);
  end(w, '}');
  if (type->min_items > 0) real(w, "minItems", type->min_items);
  if (type->max_items > 0) real(w, "maxItems", type->max_items);
  if (type->unique) raw(w, "uniqueItems", "true");
}

static void write_map(writer *w, const xs_type *type, xs_range range) {
  string(w, "type", "object");
  if (type->min_items > 0) real(w, "minProperties", type->min_items);
  if (!type->free_keys) {
    begin(w, "propertyNames", '{');
    string(w, "pattern", NAME_PATTERN);
    end(w, '}');
  }
  begin(w, "additionalProperties", '{');
  write_type(w, type->item, range);
  end(w, '}');
}

static void write_name(writer *w, const xs_type *type) {
  string(w, "type", "string");
  string(w, "pattern", NAME_PATTERN);
  if (type->kind != XS_TYPE_NAME || type->words == NULL) return;
  begin(w, "not", '{');
  words(w, "enum", type->words);
  end(w, '}');
}

static void write_angle(writer *w, xs_range range) {
  begin(w, "anyOf", '[');
  begin(w, NULL, '{');
  write_number(w, "number", range);
  end(w, '}');
  begin(w, NULL, '{');
  write_reference(w, &xs_scene_degrees_object);
  end(w, '}');
  end(w, ']');
}

static void write_choice(writer *w, const xs_type *type, xs_range range) {
  begin(w, "anyOf", '[');
  for (const xs_type *const *option = type->options; *option != NULL; option++) {
    begin(w, NULL, '{');
    write_type(w, *option, range);
    end(w, '}');
  }
  end(w, ']');
}

static void write_type(writer *w, const xs_type *type, xs_range range) {
  switch (type->kind) {
    case XS_TYPE_NUMBER:
      write_number(w, "number", range);
      break;
    case XS_TYPE_INTEGER:
      write_number(w, "integer", range);
      break;
    case XS_TYPE_BOOL:
      string(w, "type", "boolean");
      break;
    case XS_TYPE_STRING:
      string(w, "type", "string");
      if (type->min_items > 0) real(w, "minLength", type->min_items);
      break;
    case XS_TYPE_NAME:
    case XS_TYPE_REFERENCE:
      write_name(w, type);
      break;
    case XS_TYPE_WORD:
      words(w, "enum", type->words);
      break;
    case XS_TYPE_ARRAY:
      write_array(w, type, range);
      break;
    case XS_TYPE_MAP:
      write_map(w, type, range);
      break;
    case XS_TYPE_OBJECT:
      write_reference(w, type->object);
      break;
    case XS_TYPE_ANGLE:
      write_angle(w, range);
      break;
    case XS_TYPE_NULL:
      string(w, "type", "null");
      break;
    case XS_TYPE_ANY:
      break;
    case XS_TYPE_CHOICE:
      write_choice(w, type, range);
      break;
  }
}

/* ---- Objects ---- */

static void write_key(writer *w, const xs_key *key) {
  begin(w, key->name, '{');
  string(w, "description", key->meaning);
  if (key->unit != NULL) string(w, "x-unit", key->unit);
  if (key->fallback != NULL && key->fallback != xs_scene_required) raw(w, "default", key->fallback);
  write_type(w, key->type, key->range);
  end(w, '}');
}

/* Required keys of every variant (variant NULL), or those of one variant only. */
static void write_required(writer *w, const xs_object *object, const char *variant) {
  int any = 0;
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    const int belongs =
        variant == NULL ? key->when == NULL : key->when && xs_scene_table_applies(key, variant);
    if (key->fallback != xs_scene_required || !belongs) continue;
    if (!any) begin(w, "required", '[');
    any = 1;
    string(w, NULL, key->name);
  }
  if (any) end(w, ']');
}

/* A key with several lines: what it takes stands with the types. */
static void write_varying_key(writer *w, const xs_key *key) {
  begin(w, key->name, '{');
  string(w, "description", "What it takes depends on the type.");
  end(w, '}');
}

/* The keys of one value of "type" that others do not have, or have in another form. Each name
 * once, at its first line. */
static void write_variant_keys(writer *w, const xs_object *object, const char *variant) {
  begin(w, "properties", '{');
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    if (xs_scene_table_key(object, key->name, NULL) != key) continue;
    const xs_key *own = xs_scene_table_key(object, key->name, variant);
    if (!xs_scene_table_applies(own, variant))
      raw(w, key->name, "false");
    else if (xs_scene_table_varies(object, key))
      write_key(w, own);
  }
  end(w, '}');
}

/* For each value of "type": which keys it needs, and which it does not have. */
static void write_variants(writer *w, const xs_object *object) {
  int any = 0;
  for (const xs_key *key = object->keys; key->name != NULL; key++) any = any || key->when != NULL;
  if (!any) return;
  begin(w, "allOf", '[');
  const xs_key *type = xs_scene_table_key(object, "type", NULL);
  for (const char *const *word = type->type->words; *word != NULL; word++) {
    begin(w, NULL, '{');
    start(w);
    fprintf(w->stream, "\"if\": {\"properties\": {\"type\": {\"const\": \"%s\"}}}", *word);
    begin(w, "then", '{');
    write_required(w, object, *word);
    write_variant_keys(w, object, *word);
    end(w, '}');
    end(w, '}');
  }
  end(w, ']');
}

/* Sets of keys: those of the form are required, the other governed ones must not stand. */
static void write_forms(writer *w, const xs_object *object) {
  if (object->forms == NULL) return;
  begin(w, "oneOf", '[');
  for (const char *const *form = object->forms; *form != NULL; form++) {
    begin(w, NULL, '{');
    begin(w, "required", '[');
    for (const xs_key *key = object->keys; key->name != NULL; key++)
      if (xs_scene_table_lists(*form, '+', key->name)) string(w, NULL, key->name);
    end(w, ']');
    begin(w, "properties", '{');
    for (const xs_key *key = object->keys; key->name != NULL; key++)
      if (xs_scene_table_governs(object, key->name) && !xs_scene_table_lists(*form, '+', key->name))
        raw(w, key->name, "false");
    end(w, '}');
    end(w, '}');
  }
  end(w, ']');
}

static void write_object(writer *w, const xs_object *object) {
  string(w, "description", object->meaning);
  string(w, "type", "object");
  raw(w, "additionalProperties", "false");
  write_required(w, object, NULL);
  begin(w, "properties", '{');
  for (const xs_key *key = object->keys; key->name != NULL; key++) {
    if (!xs_scene_table_varies(object, key))
      write_key(w, key);
    else if (xs_scene_table_key(object, key->name, NULL) == key)
      write_varying_key(w, key);
  }
  end(w, '}');
  write_variants(w, object);
  write_forms(w, object);
}

void xs_scene_write_schema(FILE *stream) { xs_scene_schema_write(stream, &xs_scene_object); }

void xs_scene_schema_write(FILE *stream, const xs_object *root) {
  const xs_object *list[XS_TABLE_OBJECTS_MAX];
  const int n = xs_scene_table_objects(root, list);
  char title[64];
  snprintf(title, sizeof title, "xsim %s", root->name);
  writer w = {.stream = stream};
  begin(&w, NULL, '{');
  string(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
  string(&w, "title", title);
  write_object(&w, list[0]);
  if (n > 1) begin(&w, "$defs", '{');
  for (int i = 1; i < n; i++) {
    begin(&w, list[i]->name, '{');
    write_object(&w, list[i]);
    end(&w, '}');
  }
  if (n > 1) end(&w, '}');
  end(&w, '}');
  fputc('\n', stream);
}
