/* JSON text to a tree with positions, by way of cJSON.
 *
 * Three passes, each linear in the text but for a sort of each object's keys:
 *   1. the strict scanner (json_scan.c) checks the text, marks where each value stands,
 *      and hands out a copy without comments;
 *   2. cJSON parses that copy: it decodes strings and gives the structure;
 *   3. its tree is walked in step with the marks and copied to the arena; then the keys of
 *      each object are checked for duplicates.
 * Where cJSON and the scanner disagree (type, number, nesting, count) the program is at
 * fault, and says so, rather than go on with either's view.
 *
 * This is the only file that knows cJSON. Left out: writing JSON, reading files
 * (json_file.c), overrides (json_set.c). */
#include "io/json.h"

#include <cJSON.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/json_scan.h"

/* ---- cJSON ------------------------------------------------------------------------- */

/* Set when an allocation fails, because cJSON does not tell that from a syntax error. */
static _Thread_local int memory_exhausted;

static void *allocate(size_t size) {
  void *memory = malloc(size);
  if (!memory) memory_exhausted = 1;
  return memory;
}

/* cJSON's tree of the scanner's copy, NULL with an error reported. */
static cJSON *parse_clean(const xs_json_scan *scan, xs_status *status) {
  cJSON_Hooks hooks = {allocate, free};
  cJSON_InitHooks(&hooks);
  memory_exhausted = 0;
  cJSON *tree = cJSON_ParseWithLengthOpts(scan->clean, scan->length + 1, NULL, 1);

  xs_place place = {.file = scan->source};
  if (!tree && memory_exhausted)
    *status = xs_report_error(scan->report, XS_INTERNAL, &place, "out of memory");
  else if (!tree)
    *status = xs_report_error(scan->report, XS_INTERNAL, &place,
                              "cJSON refuses a text that the scanner accepted");
  return tree;
}

static int has_type(const cJSON *item, xs_json_type type) {
  switch (type) {
    case XS_JSON_NULL:
      return cJSON_IsNull(item);
    case XS_JSON_BOOL:
      return cJSON_IsBool(item);
    case XS_JSON_NUMBER:
      return cJSON_IsNumber(item);
    case XS_JSON_STRING:
      return cJSON_IsString(item);
    case XS_JSON_ARRAY:
      return cJSON_IsArray(item);
    case XS_JSON_OBJECT:
      return cJSON_IsObject(item);
  }
  return 0;
}

/* Whether cJSON sees what the scanner saw; numbers to the bit (neither makes a NaN). */
static int agree(const cJSON *item, const xs_json_mark *mark) {
  if (!has_type(item, mark->type)) return 0;
  if ((item->string != NULL) != (mark->key != XS_JSON_NO_KEY)) return 0;
  if (mark->type == XS_JSON_NUMBER) return item->valuedouble == mark->number;
  if (mark->type == XS_JSON_BOOL) return cJSON_IsTrue(item) == (mark->number != 0);
  return 1;
}

/* ---- the tree ---------------------------------------------------------------------- */

/* What a walk carries along. */
typedef struct builder {
  const xs_json_scan *scan;
  const char *source;
  xs_json *node; /* one a mark, in the same order */
  char *text;    /* room for strings */
  size_t text_left;
  xs_json_cursor cursor;
} builder;

/* A copy of a string or key; NULL if the scanner left too little room. */
static const char *copy_string(builder *b, const char *string) {
  size_t bytes = strlen(string) + 1;
  if (bytes > b->text_left) return NULL;
  char *copy = memcpy(b->text, string, bytes);
  b->text += bytes;
  b->text_left -= bytes;
  return copy;
}

/* Fills node i from item but for its links; 0 if scanner and cJSON disagree. */
static int fill_node(builder *b, size_t i, const cJSON *item) {
  const xs_json_mark *mark = &b->scan->mark[i];
  xs_json *node = &b->node[i];
  if (!agree(item, mark)) return 0;
  node->type = mark->type;
  node->number = mark->number;
  node->source = b->source;

  /* The places, the key's before the value's: the cursor only moves forward. */
  if (mark->key != XS_JSON_NO_KEY) {
    xs_json_cursor_move(&b->cursor, b->scan->text, mark->key);
    node->key_line = b->cursor.line;
    node->key_column = b->cursor.column;
    node->key = copy_string(b, item->string);
    if (!node->key) return 0;
  }
  xs_json_cursor_move(&b->cursor, b->scan->text, mark->value);
  node->line = b->cursor.line;
  node->column = b->cursor.column;

  if (mark->type == XS_JSON_STRING) node->string = copy_string(b, item->valuestring);
  return mark->type != XS_JSON_STRING || node->string;
}

/* Walks cJSON's tree in the order of the marks; 0 if they disagree. */
static int build_nodes(builder *b, const cJSON *tree) {
  struct {
    const cJSON *due; /* to be visited next at this depth */
    xs_json *parent, *last;
  } level[XS_JSON_DEPTH_MAX + 1] = {{tree, NULL, NULL}};
  int depth = 0;

  for (size_t i = 0; i < b->scan->n_marks; i++) {
    /* Back out of what has been visited wholly. */
    while (depth > 0 && !level[depth].due) depth--;
    const cJSON *item = level[depth].due;
    if (!item || depth != b->scan->mark[i].depth || !fill_node(b, i, item)) return 0;

    /* Link the node behind its elder sibling, or to its parent. */
    xs_json *node = &b->node[i], *parent = level[depth].parent;
    if (level[depth].last) level[depth].last->next = node;
    if (parent && !level[depth].last) parent->first = node;
    if (parent) parent->count++;
    level[depth].last = node;
    level[depth].due = item->next;

    /* And into it. The scanner's limit on depth makes room for one level more. */
    if (node->type != XS_JSON_ARRAY && node->type != XS_JSON_OBJECT) continue;
    if (depth == XS_JSON_DEPTH_MAX) return 0;
    depth++;
    level[depth].due = item->child;
    level[depth].parent = node;
    level[depth].last = NULL;
  }

  while (depth >= 0 && !level[depth].due) depth--;
  return depth < 0;
}

/* ---- duplicate keys ---------------------------------------------------------------- */

/* By key, equal ones in file order, which is the order of the nodes in memory. */
static int compare_keys(const void *a, const void *b) {
  const xs_json *const *x = a, *const *y = b;
  int order = strcmp((*x)->key, (*y)->key);
  if (order) return order;
  return *x < *y ? -1 : *x > *y;
}

static xs_status check_members(const xs_json *object, const xs_json **sorted, xs_report *report) {
  int n = 0;
  for (const xs_json *member = object->first; member; member = member->next) sorted[n++] = member;
  qsort(sorted, (size_t)n, sizeof *sorted, compare_keys);

  /* Equal keys are neighbours now. */
  xs_status status = XS_OK;
  for (int i = 1, first = 0; i < n; i++) {
    if (strcmp(sorted[i]->key, sorted[first]->key) != 0) {
      first = i;
      continue;
    }
    xs_place place = {sorted[i]->source, sorted[i]->key_line, sorted[i]->key_column, NULL};
    status =
        xs_report_error(report, XS_SCENE, &place, "duplicate key \"%s\", first given at line %d",
                        sorted[i]->key, sorted[first]->key_line);
  }
  return status;
}

static xs_status check_duplicates(const xs_json *node, size_t n_nodes, xs_report *report) {
  /* Room for the members of the largest object. */
  size_t n_most = 1;
  for (size_t i = 0; i < n_nodes; i++)
    if (node[i].type == XS_JSON_OBJECT && (size_t)node[i].count > n_most)
      n_most = (size_t)node[i].count;
  const xs_json **sorted = malloc(n_most * sizeof(const xs_json *));
  xs_place place = {.file = node->source};
  if (!sorted) return xs_report_error(report, XS_INTERNAL, &place, "out of memory");

  xs_status status = XS_OK;
  for (size_t i = 0; i < n_nodes; i++) {
    if (node[i].type != XS_JSON_OBJECT) continue;
    if (check_members(&node[i], sorted, report)) status = XS_SCENE;
  }
  free(sorted);
  return status;
}

/* ---- parsing ----------------------------------------------------------------------- */

/* What a value takes in all, with cJSON's tree and the copies that a reader makes of it; measured.
 */
#define VALUE_BYTES 185.0

static xs_status check_memory(const xs_json_scan *scan) {
  const double needed = VALUE_BYTES * (double)scan->n_marks, memory = xs_memory_limit();
  if (needed < memory) return XS_OK;
  return xs_report_error(scan->report, XS_SCENE, &(xs_place){.file = scan->source},
                         "its %zu values need about %.3g GB of memory; there are %.3g GB: take "
                         "fewer",
                         (size_t)scan->n_marks, needed / 1e9, memory / 1e9);
}

/* Scanned text to tree. */
static xs_status build_tree(const xs_json_scan *scan, xs_arena *arena, xs_json **root) {
  /* All nodes are one piece, all strings another: the scanner has counted them. */
  builder b = {.scan = scan,
               .source = xs_arena_copy_text(arena, scan->source),
               .node = XS_ARENA_NEW(arena, xs_json, scan->n_marks),
               .text = XS_ARENA_NEW(arena, char, scan->string_bytes),
               .text_left = scan->string_bytes,
               .cursor = xs_json_cursor_start(scan->text, scan->length)};
  xs_place place = {.file = scan->source};
  if (!b.source || !b.node || !b.text)
    return xs_report_error(scan->report, XS_INTERNAL, &place, "out of memory");

  xs_status status = XS_OK;
  cJSON *tree = parse_clean(scan, &status);
  if (!tree) return status;
  if (!build_nodes(&b, tree))
    status = xs_report_error(scan->report, XS_INTERNAL, &place,
                             "cJSON reads the text otherwise than the scanner");
  cJSON_Delete(tree);

  if (!status) status = check_duplicates(b.node, scan->n_marks, scan->report);
  if (!status) *root = b.node;
  return status;
}

xs_status xs_json_parse(const char *text, size_t length, const char *source, xs_arena *arena,
                        xs_json **root, xs_report *report) {
  *root = NULL;
  xs_place place = {.file = source};

  /* The decimal point is '.', whatever the locale of the calling thread. */
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) return xs_report_error(report, XS_INTERNAL, &place, "out of memory");
  locale_t callers_locale = uselocale(c_locale);

  xs_json_scan scan = {.text = text, .length = length, .source = source, .report = report};
  xs_status status = xs_json_scan_text(&scan);
  if (!status) status = check_memory(&scan);
  if (!status) status = build_tree(&scan, arena, root);
  xs_json_scan_free(&scan);

  uselocale(callers_locale);
  freelocale(c_locale);
  return status;
}

/* ---- looking things up ------------------------------------------------------------- */

const xs_json *xs_json_member(const xs_json *object, const char *key) {
  if (!object || object->type != XS_JSON_OBJECT) return NULL;
  const xs_json *member = object->first;
  while (member && strcmp(member->key, key) != 0) member = member->next;
  return member;
}

/* The shortest decimal form that reads back as the same number. */
static void print_number(double number, char *buffer, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, size, "%.*g", digits, number);
    if (strtod(buffer, NULL) == number) return;
  }
}

/* The string in quotes, a long one cut between two characters. */
static void describe_string(const char *string, char *buffer, size_t size) {
  const size_t shown_max = 48;
  size_t n = strlen(string);
  int is_cut = n > shown_max;
  if (is_cut) n = shown_max;
  while (is_cut && n > 0 && ((unsigned char)string[n] & 0xC0) == 0x80) n--;
  snprintf(buffer, size, "the string \"%.*s%s\"", (int)n, string, is_cut ? "..." : "");
}

const char *xs_json_describe(const xs_json *value, char *buffer, size_t size) {
  char number[32];
  if (!value) {
    snprintf(buffer, size, "nothing");
    return buffer;
  }
  switch (value->type) {
    case XS_JSON_NULL:
      snprintf(buffer, size, "null");
      break;
    case XS_JSON_BOOL:
      snprintf(buffer, size, "%s", value->number != 0 ? "true" : "false");
      break;
    case XS_JSON_NUMBER:
      print_number(value->number, number, sizeof number);
      snprintf(buffer, size, "the number %s", number);
      break;
    case XS_JSON_STRING:
      describe_string(value->string, buffer, size);
      break;
    case XS_JSON_ARRAY:
      snprintf(buffer, size, value->count == 0 ? "an empty array" : "an array of %d item%s",
               value->count, value->count == 1 ? "" : "s");
      break;
    case XS_JSON_OBJECT:
      snprintf(buffer, size, "an object");
      break;
  }
  return buffer;
}

const char *xs_json_cjson_version(void) { return cJSON_Version(); }
