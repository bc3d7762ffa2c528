/* Writes JSON trees as text that people can read: members of objects and items that hold
 * something themselves stand on lines of their own, short arrays of numbers on one. */
#include "io/json_write.h"

#include <stdio.h>
#include <stdlib.h>

void xs_json_write_string(FILE *stream, const char *string) {
  fputc('"', stream);
  for (const char *c = string; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(stream, "\\%c", *c);
    else if ((unsigned char)*c < 0x20 || *c == 0x7F)
      fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      fputc(*c, stream);
  }
  fputc('"', stream);
}

static int has_containers(const xs_json *value) {
  for (const xs_json *child = value->first; child != NULL; child = child->next)
    if (child->type == XS_JSON_ARRAY || child->type == XS_JSON_OBJECT) return 1;
  return 0;
}

static void write_container(FILE *stream, const xs_json *value, int depth) {
  const int object = value->type == XS_JSON_OBJECT;
  const int lines = value->first != NULL && (object || has_containers(value));
  fputc(object ? '{' : '[', stream);
  for (const xs_json *child = value->first; child != NULL; child = child->next) {
    if (child != value->first) fputs(lines ? "," : ", ", stream);
    if (lines) fprintf(stream, "\n%*s", 2 * (depth + 1), "");
    if (object) {
      xs_json_write_string(stream, child->key);
      fputs(": ", stream);
    }
    xs_json_write(stream, child, depth + 1);
  }
  if (lines) fprintf(stream, "\n%*s", 2 * depth, "");
  fputc(object ? '}' : ']', stream);
}

void xs_json_write(FILE *stream, const xs_json *value, int depth) {
  switch (value->type) {
    case XS_JSON_NULL:
      fputs("null", stream);
      break;
    case XS_JSON_BOOL:
      fputs(value->number != 0 ? "true" : "false", stream);
      break;
    case XS_JSON_NUMBER:
      fprintf(stream, "%.17g", value->number);
      break;
    case XS_JSON_STRING:
      xs_json_write_string(stream, value->string);
      break;
    case XS_JSON_ARRAY:
    case XS_JSON_OBJECT:
      write_container(stream, value, depth);
      break;
  }
}

static void write_shortest(FILE *stream, double number) {
  char text[32];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  fputs(text, stream);
}

void xs_json_write_line(FILE *stream, const xs_json *value) {
  const int object = value->type == XS_JSON_OBJECT;
  if (value->type == XS_JSON_NUMBER) {
    write_shortest(stream, value->number);
    return;
  }
  if (!object && value->type != XS_JSON_ARRAY) {
    xs_json_write(stream, value, 0);
    return;
  }
  fputc(object ? '{' : '[', stream);
  for (const xs_json *child = value->first; child != NULL; child = child->next) {
    if (child != value->first) fputs(", ", stream);
    if (object) {
      xs_json_write_string(stream, child->key);
      fputs(": ", stream);
    }
    xs_json_write_line(stream, child);
  }
  fputc(object ? '}' : ']', stream);
}
