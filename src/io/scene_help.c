/* The help text on scenes, written from the table of parameters: for each object its keys
 * with type, unit, range, default and meaning. Objects that stand in several places
 * (orientation, function) are shown once. */
#include <stdio.h>
#include <string.h>

#include "io/scene.h"
#include "io/scene_table.h"

enum { WIDTH = 90, NAME_COLUMN = 18 };

/* Writes text from column on, broken between words. */
static void write_wrapped(FILE *stream, const char *text, int column) {
  int at = column;
  fprintf(stream, "%*s", column, "");
  while (*text != '\0') {
    const int n = (int)strcspn(text, " ");
    if (at > column && at + 1 + n > WIDTH) {
      fprintf(stream, "\n%*s", column, "");
      at = column;
    }
    fprintf(stream, "%s%.*s", at > column ? " " : "", n, text);
    at += n + (at > column);
    text += n;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

/* "length, solve, ..." as the words of a type, after what introduces them. */
static void write_words(FILE *stream, const xs_type *type) {
  if (type->kind == XS_TYPE_ARRAY && type->item->kind == XS_TYPE_WORD) type = type->item;
  if (type->kind != XS_TYPE_WORD && type->kind != XS_TYPE_REFERENCE) return;
  for (const char *const *word = type->words; word != NULL && *word != NULL; word++)
    fprintf(stream, "%s\"%s\"", word == type->words ? ": " : " | ", *word);
}

static void write_key(FILE *stream, const xs_key *key) {
  char range[64];
  (void)xs_scene_table_range_text(key->range, range, sizeof range);
  fprintf(stream, "  %-*s", NAME_COLUMN - 2, key->name);
  if (strlen(key->name) >= (size_t)NAME_COLUMN - 2) fputc(' ', stream);

  /* Type, unit, range, default. */
  const int named = key->type->kind == XS_TYPE_NAME || key->type->kind == XS_TYPE_REFERENCE;
  fprintf(stream, "%s%s", named ? "name of a " : "", key->type->phrase);
  write_words(stream, key->type);
  if (key->unit != NULL && strcmp(key->unit, "1") != 0) fprintf(stream, ", %s", key->unit);
  if (range[0] != '\0') fprintf(stream, ", %s", range);
  if (key->when != NULL) fprintf(stream, ", for %s", key->when);
  if (key->fallback == xs_scene_required)
    fputs(", required", stream);
  else if (key->fallback != NULL)
    fprintf(stream, ", default %s", key->fallback);
  fputc('\n', stream);
  write_wrapped(stream, key->meaning, NAME_COLUMN);
}

static void write_object(FILE *stream, const xs_object *object) {
  fprintf(stream, "%s: %s\n", object->name, object->meaning);
  for (const xs_key *key = object->keys; key->name != NULL; key++) write_key(stream, key);
  if (object->forms == NULL) return;
  fputs("  one of these sets of keys: ", stream);
  for (const char *const *form = object->forms; *form != NULL; form++)
    fprintf(stream, "%s%s", form == object->forms ? "" : ", ",
            (*form)[0] != '\0' ? *form : "none of these");
  fputc('\n', stream);
}

/* The key at the end of a dotted path and the object that has it, NULL if there is none. Names
 * in a map or indices in a list are passed over: materials.steel.density, bodies.0.mass,
 * bodies.mass. On the way down a key with several lines counts by its first. */
static const xs_key *find_key(const char *path, const xs_object **owner) {
  const xs_object *object = &xs_scene_object;
  const xs_key *key = NULL;
  int may_skip = 0;
  while (*path != '\0') {
    char step[64];
    const size_t n = strcspn(path, ".");
    if (n == 0 || n >= sizeof step || object == NULL) return NULL;
    memcpy(step, path, n);
    step[n] = '\0';
    const xs_key *next = xs_scene_table_key(object, step, NULL);
    if (next == NULL && !may_skip) return NULL;
    if (next != NULL) {
      key = next;
      *owner = object;
      object = xs_scene_table_object_of(key->type);
    }
    may_skip = next != NULL && (key->type->kind == XS_TYPE_ARRAY || key->type->kind == XS_TYPE_MAP);
    path += n + (path[n] == '.');
  }
  return key;
}

/* All lines of a key's name, each with the object below it. */
static void write_part(FILE *stream, const xs_object *owner, const char *name) {
  int n = 0;
  for (const xs_key *key = owner->keys; key->name != NULL; key++) {
    if (strcmp(key->name, name) != 0) continue;
    if (n++ > 0) fputc('\n', stream);
    write_key(stream, key);
    const xs_object *object = xs_scene_table_object_of(key->type);
    if (object == NULL) continue;
    fputc('\n', stream);
    write_object(stream, object);
  }
}

void xs_scene_help_write(FILE *stream, const xs_object *root) {
  const xs_object *list[XS_TABLE_OBJECTS_MAX];
  const int n = xs_scene_table_objects(root, list);
  for (int i = 0; i < n; i++) {
    if (i > 0) fputc('\n', stream);
    write_object(stream, list[i]);
  }
}

int xs_scene_write_help(FILE *stream, const char *path) {
  /* One part. */
  if (path != NULL && path[0] != '\0') {
    const xs_object *owner = NULL;
    const xs_key *key = find_key(path, &owner);
    if (key == NULL) return 0;
    write_part(stream, owner, key->name);
    return 1;
  }

  xs_scene_help_write(stream, &xs_scene_object);
  return 1;
}
