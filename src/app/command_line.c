/* Quoting for the shell (command_line.h). */
#include "app/command_line.h"

#include <string.h>

/* Letters that no shell takes for more than themselves. */
static const char PLAIN[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";

/* Appends one argument at *end, in single quotes where it needs them. */
static void append_quoted(char **end, const char *argument) {
  const size_t length = strlen(argument);
  if (length > 0 && strspn(argument, PLAIN) == length) {
    memcpy(*end, argument, length);
    *end += length;
    return;
  }
  *(*end)++ = '\'';
  for (const char *c = argument; *c != '\0'; c++) {
    if (*c == '\'') {
      memcpy(*end, "'\\''", 4);
      *end += 4;
    } else {
      *(*end)++ = *c;
    }
  }
  *(*end)++ = '\'';
}

char *xs_command_line_join(int argc, const char *const *argv, xs_arena *arena) {
  size_t size = 1;
  for (int i = 0; i < argc; i++) size += 4 * strlen(argv[i]) + 3;
  char *line = XS_ARENA_NEW(arena, char, size);
  if (line == NULL) return NULL;

  char *end = line;
  for (int i = 0; i < argc; i++) {
    if (i > 0) *end++ = ' ';
    append_quoted(&end, argv[i]);
  }
  *end = '\0';
  return line;
}
