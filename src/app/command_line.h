/* Command lines as text that a shell reads back as the same arguments. */
#ifndef XS_APP_COMMAND_LINE_H
#define XS_APP_COMMAND_LINE_H

#include "base/arena.h"

/* The arguments joined by blanks, each in single quotes where it needs them. NULL when memory is
 * exhausted. */
char *xs_command_line_join(int argc, const char *const *argv, xs_arena *arena);

#endif
