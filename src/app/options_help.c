/* The text of --help, from the table of options. */
#include <string.h>

#include "app/options_table.h"

enum { WIDTH = 79, HELP_COLUMN = 28 };

const char *xs_options_name(int i) {
  return i >= 0 && i < XS_N_OPTIONS ? xs_options_table[i].name : NULL;
}

/* Writes text from HELP_COLUMN on, broken at blanks. */
static void write_wrapped(FILE *stream, const char *text) {
  int column = HELP_COLUMN;
  while (*text != '\0') {
    const int length = (int)strcspn(text, " ");
    if (column > HELP_COLUMN && column + 1 + length > WIDTH) {
      fprintf(stream, "\n%*s", HELP_COLUMN, "");
      column = HELP_COLUMN;
    }
    column += fprintf(stream, "%s%.*s", column > HELP_COLUMN ? " " : "", length, text);
    text += length;
    text += *text == ' ';
  }
  fputc('\n', stream);
}

static void write_option(FILE *stream, const xs_option *o) {
  char head[64], letter[8] = "    ";
  if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
  const char *open = o->use == XS_VALUE_OPTIONAL ? "[" : "", *close = open[0] ? "]" : "";
  snprintf(head, sizeof head, "%s--%s%s%s%s%s", letter, o->name, o->value ? " " : "", open,
           o->value ? o->value : "", close);

  fprintf(stream, "  %-*s", HELP_COLUMN - 2, head);
  write_wrapped(stream, o->help);
}

void xs_options_write_help(FILE *stream) {
  fputs(
      "usage: xsim SCENE.json [-o OUT.h5] [options]     run one scene\n"
      "       xsim --check SCENE.json [options]         check it, write nothing\n"
      "       xsim --resume OUT.h5 [--until T]          go on with a result\n"
      "       xsim --rerun OUT.h5 -o NEW.h5             run its scene again\n"
      "       xsim --sweep SWEEP.json -o DIR [options]  run many cases of a scene\n"
      "       xsim --help [TOPIC] | --version | --schema [sweep]\n"
      "\n"
      "Simulates rigid bodies, elastic rods and joints described by a JSON scene and\n"
      "writes HDF5.\n"
      "\n"
      "options:\n",
      stream);
  for (int i = 0; i < XS_N_OPTIONS; i++) write_option(stream, &xs_options_table[i]);
  fputs(
      "\n"
      "exit status:\n"
      "  0  done, and every check of the scene held\n"
      "  1  internal fault\n"
      "  2  wrong command line or environment\n"
      "  3  wrong scene, also: not found; nothing was written\n"
      "  4  reading or writing failed: disk full, no permission, another run owns the\n"
      "     output, a .partial stands in the way\n"
      "  5  diverged; the result is kept up to there\n"
      "  6  stopped early on request (signal, --max-wall); can be resumed\n"
      "  7  ran to the end, but a check of the scene failed\n"
      "\n"
      "A sweep's status is the worst of its cases, in the order 1 to 7, 0.\n"
      "\n"
      "SIGINT and SIGTERM end the run after the step it is in, with a checkpoint; a\n"
      "second one ends the program at once, and the .partial can be resumed. Summary\n"
      "and --check go to stdout; errors, warnings and progress to stderr.\n"
      "\n"
      "XSIM_ISA in the environment forces the solver's code: baseline (x86-64-v2) or\n"
      "avx2, else the processor decides; both give the same bits.\n",
      stream);
}
