/* The command line, from one table (options.h).
 *
 * Parsing has two passes: the first walks the arguments and notes every option and value,
 * collecting mistakes; the second holds what was given against the command (does the
 * option go with it, is its scene there) and fills in the default output. Values that only
 * the scene can judge, such as the path in --set, are left to the loader. */
#include "app/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

typedef enum value_use { VALUE_NONE, VALUE_REQUIRED, VALUE_OPTIONAL } value_use;

/* Bit of a command in option.commands. */
#define GOES_WITH(command) (1u << (command))
enum {
  WITH_RUN = GOES_WITH(XS_COMMAND_RUN),
  WITH_CHECK = GOES_WITH(XS_COMMAND_CHECK),
  WITH_RESUME = GOES_WITH(XS_COMMAND_RESUME),
  WITH_RERUN = GOES_WITH(XS_COMMAND_RERUN),
  WITH_ALL = ~0u >> 1
};

/* Takes the value (NULL without one) into the options; adds an error if it is wrong. */
typedef void apply_function(xs_options *options, const char *value, xs_report *report);

typedef struct option {
  const char *name;
  char letter;        /* 0 = none */
  xs_command command; /* the command it asks for; XS_COMMAND_RUN = it asks for none */
  value_use use;
  const char *value; /* name of the value in the help */
  unsigned commands; /* those it goes with */
  int repeatable;
  apply_function *apply; /* NULL: giving it says all */
  const char *help;      /* lines of at most 56 characters */
} option;

static apply_function apply_input, apply_until, apply_output, apply_set, apply_progress,
    apply_quiet, apply_verbose, apply_force, apply_max_wall, apply_error_format, apply_topic;

static const option table[] = {
    {"check", 0, XS_COMMAND_CHECK, VALUE_NONE, NULL, WITH_CHECK, 0, NULL,
     "read and check the scene only: print what would run\n"
     "(counts, memory, initial gaps of the joints), write nothing"},
    {"resume", 0, XS_COMMAND_RESUME, VALUE_REQUIRED, "OUT.h5", WITH_RESUME, 0, apply_input,
     "go on from the last checkpoint in a result, or in the\n"
     ".partial of a killed run, which then ends as OUT.h5"},
    {"until", 0, XS_COMMAND_RUN, VALUE_REQUIRED, "T", WITH_RESUME, 0, apply_until,
     "with --resume: end at the simulated time T (s) instead of\n"
     "the scene's duration; not before the checkpoint"},
    {"rerun", 0, XS_COMMAND_RERUN, VALUE_REQUIRED, "OUT.h5", WITH_RERUN, 0, apply_input,
     "run again the scene stored in a result; needs --output"},
    {"output", 'o', XS_COMMAND_RUN, VALUE_REQUIRED, "FILE", WITH_RUN | WITH_CHECK | WITH_RERUN, 0,
     apply_output,
     "result file; without it: the scene's name with .h5 in the\n"
     "current folder. While the run goes on: FILE.partial"},
    {"set", 's', XS_COMMAND_RUN, VALUE_REQUIRED, "PATH=VALUE", WITH_RUN | WITH_CHECK | WITH_RERUN,
     1, apply_set,
     "override one value of the scene, repeatable. PATH has dots,\n"
     "array items by name or index: time.step=5e-4,\n"
     "bodies.link1.mass=2. VALUE is JSON, or a bare word"},
    {"progress", 0, XS_COMMAND_RUN, VALUE_REQUIRED, "WHEN", WITH_RUN | WITH_RESUME | WITH_RERUN, 0,
     apply_progress,
     "progress on stderr: auto (on a terminal only), always,\n"
     "never"},
    {"quiet", 'q', XS_COMMAND_RUN, VALUE_NONE, NULL, WITH_ALL, 0, apply_quiet,
     "errors only: no summary, no warnings, no progress"},
    {"verbose", 'v', XS_COMMAND_RUN, VALUE_NONE, NULL, WITH_ALL, 0, apply_verbose,
     "say on stderr what is built and why"},
    {"force", 'f', XS_COMMAND_RUN, VALUE_NONE, NULL, WITH_RUN | WITH_RERUN, 0, apply_force,
     "overwrite the unowned .partial of an earlier killed run"},
    {"max-wall", 0, XS_COMMAND_RUN, VALUE_REQUIRED, "SECONDS", WITH_RUN | WITH_RESUME | WITH_RERUN,
     0, apply_max_wall,
     "stop cleanly, with a checkpoint, before this much wall time\n"
     "has passed since the program began"},
    {"error-format", 0, XS_COMMAND_RUN, VALUE_REQUIRED, "FORMAT", WITH_ALL, 0, apply_error_format,
     "text, or json: one object a line, for tools"},
    {"schema", 0, XS_COMMAND_SCHEMA, VALUE_NONE, NULL, WITH_ALL, 0, NULL,
     "print the JSON Schema of scenes"},
    {"help", 'h', XS_COMMAND_HELP, VALUE_OPTIONAL, "TOPIC", WITH_ALL, 0, apply_topic,
     "this text; about scenes with TOPIC scene, about one key with\n"
     "its path (solver, bodies.mass). Wins over other commands"},
    {"version", 0, XS_COMMAND_VERSION, VALUE_NONE, NULL, WITH_ALL, 0, NULL,
     "version, git commit, compiler and flags, libraries in use.\n"
     "Wins over other commands but --help"},
};
enum { N_OPTIONS = sizeof table / sizeof table[0] };

/* What the first pass found. */
typedef struct command_line {
  xs_options *options;
  xs_report *report;
  int given[N_OPTIONS];  /* how often */
  const option *command; /* the option that asked for the command, NULL = none did */
  int n_words;
  const char **word; /* arguments that are no options */
} command_line;

static const char *const command_names[] = {
    [XS_COMMAND_RUN] = "running a scene", [XS_COMMAND_CHECK] = "--check",
    [XS_COMMAND_RESUME] = "--resume",     [XS_COMMAND_RERUN] = "--rerun",
    [XS_COMMAND_SCHEMA] = "--schema",     [XS_COMMAND_VERSION] = "--version",
    [XS_COMMAND_HELP] = "--help",
};

#define USAGE(report, ...) xs_report_error((report), XS_USAGE, NULL, __VA_ARGS__)

/* ---- Values of options ------------------------------------------------------------- */

/* A finite decimal number, in full. Returns 0 if text is none. */
static int read_number(const char *text, double *number) {
  if (text[0] == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) return 0;
  char *end;
  errno = 0;
  *number = strtod(text, &end);
  return *end == '\0' && errno == 0 && isfinite(*number);
}

static void apply_input(xs_options *options, const char *value, xs_report *report) {
  (void)report;
  options->input = value;
}

static void apply_topic(xs_options *options, const char *value, xs_report *report) {
  (void)report;
  options->topic = value;
}

static void apply_until(xs_options *options, const char *value, xs_report *report) {
  if (!read_number(value, &options->until) || options->until < 0)
    USAGE(report, "--until %s: not a time; give simulated seconds, 0 or more", value);
}

static void apply_max_wall(xs_options *options, const char *value, xs_report *report) {
  if (!read_number(value, &options->max_wall) || options->max_wall <= 0)
    USAGE(report, "--max-wall %s: not a time limit; give wall seconds above 0", value);
}

static void apply_output(xs_options *options, const char *value, xs_report *report) {
  static const char suffix[] = ".partial";
  const size_t length = strlen(value), tail = sizeof suffix - 1;
  options->output = value;
  if (length == 0 || value[length - 1] == '/')
    USAGE(report, "--output %s: names no file; give the result's file, such as out.h5", value);
  else if (length >= tail && strcmp(value + length - tail, suffix) == 0)
    USAGE(report, "--output %s: names ending in %s are those of unfinished results; leave it out",
          value, suffix);
}

static void apply_set(xs_options *options, const char *value, xs_report *report) {
  options->set[options->n_set++] = value;
  const char *equals = strchr(value, '=');
  if (equals == NULL || equals == value)
    USAGE(report, "--set %s: expected PATH=VALUE, such as time.step=5e-4", value);
}

/* The index of value among n words; reports one that is none of them and returns -1. */
static int read_word(const char *name, const char *value, const char *const *words, int n,
                     xs_report *report) {
  for (int i = 0; i < n; i++)
    if (strcmp(value, words[i]) == 0) return i;
  char hint[128];
  USAGE(report, "--%s %s: unknown value; %s", name, value,
        xs_suggest_hint(value, n, words, hint, sizeof hint));
  return -1;
}

static void apply_progress(xs_options *options, const char *value, xs_report *report) {
  static const char *const words[] = {"auto", "always", "never"};
  int found = read_word("progress", value, words, 3, report);
  if (found >= 0) options->progress = (xs_progress_when)found;
}

static void apply_error_format(xs_options *options, const char *value, xs_report *report) {
  static const char *const words[] = {"text", "json"};
  int found = read_word("error-format", value, words, 2, report);
  if (found >= 0) options->error_format = (xs_report_format)found;
}

static void apply_quiet(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->quiet = 1;
}

static void apply_verbose(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->verbose = 1;
}

static void apply_force(xs_options *options, const char *value, xs_report *report) {
  (void)value, (void)report;
  options->force = 1;
}

/* ---- First pass: the arguments one by one ------------------------------------------ */

/* Notes the command that an option asks for. --help wins over --version, both over the rest. */
static void take_command(command_line *line, const option *found) {
  const option *earlier = line->command;
  if (earlier == NULL ||
      (found->command >= XS_COMMAND_VERSION && found->command > earlier->command))
    line->command = found;
  else if (earlier != found && earlier->command < XS_COMMAND_VERSION)
    USAGE(line->report, "--%s and --%s cannot be combined; give one of them", earlier->name,
          found->name);
}

static void take(command_line *line, const option *found, const char *value) {
  int *given = &line->given[found - table];
  *given += 1;
  if (*given == 2 && found->use != VALUE_NONE && !found->repeatable)
    USAGE(line->report, "--%s is given more than once; give it once", found->name);
  if (found->command != XS_COMMAND_RUN) take_command(line, found);
  if (found->apply != NULL) found->apply(line->options, value, line->report);
}

/* The value of an option at the end of an argument: the next argument, if it may be one.
 * Moves *next past what it takes. Returns 0 when a value is needed and not there. */
static int next_value(const option *found, char *const *argv, int *next, const char **value) {
  const char *candidate = argv[*next];
  *value = NULL;
  if (found->use == VALUE_NONE) return 1;
  if (found->use == VALUE_OPTIONAL && (candidate == NULL || candidate[0] == '-')) return 1;
  if (candidate == NULL || strcmp(candidate, "--") == 0) return 0;
  *value = candidate;
  *next += 1;
  return 1;
}

/* length: of the name without a value behind it. */
static void report_unknown(command_line *line, const char *name, size_t length) {
  char word[64];
  const char *names[N_OPTIONS];
  snprintf(word, sizeof word, "%.*s", length < 63 ? (int)length : 63, name);
  for (int i = 0; i < N_OPTIONS; i++) names[i] = table[i].name;

  const char *nearest = xs_suggest_nearest(word, N_OPTIONS, names);
  if (nearest != NULL)
    USAGE(line->report, "unknown option --%s; did you mean --%s?", word, nearest);
  else
    USAGE(line->report, "unknown option --%s; xsim --help lists all", word);
}

/* --name, --name=value or --name value at argv[*next]. */
static void take_long(command_line *line, char *const *argv, int *next) {
  const char *name = argv[*next] + 2;
  const size_t length = strcspn(name, "=");
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  *next += 1;

  const option *found = NULL;
  for (int i = 0; i < N_OPTIONS && found == NULL; i++)
    if (strncmp(table[i].name, name, length) == 0 && table[i].name[length] == '\0')
      found = &table[i];

  if (found == NULL) {
    report_unknown(line, name, length);
  } else if (value != NULL && found->use == VALUE_NONE) {
    USAGE(line->report, "--%s takes no value; found \"%s\"", found->name, value);
  } else if (value == NULL && !next_value(found, argv, next, &value)) {
    USAGE(line->report, "--%s needs a value: --%s %s", found->name, found->name, found->value);
  } else {
    take(line, found, value);
  }
}

/* -x, -xvalue, -x value or joined letters -xyz at argv[*next]. */
static void take_letters(command_line *line, char *const *argv, int *next) {
  const char *letter = argv[*next] + 1;
  *next += 1;
  for (; *letter != '\0'; letter++) {
    const option *found = NULL;
    for (int i = 0; i < N_OPTIONS && found == NULL; i++)
      if (table[i].letter == *letter) found = &table[i];

    const char *value = letter[1] != '\0' ? letter + 1 : NULL;
    if (found == NULL) {
      USAGE(line->report, "unknown option -%c; xsim --help lists all", *letter);
      return;
    }
    if (found->use == VALUE_NONE) {
      take(line, found, NULL);
      continue;
    }
    if (value == NULL && !next_value(found, argv, next, &value))
      USAGE(line->report, "-%c needs a value: -%c %s", *letter, *letter, found->value);
    else
      take(line, found, value);
    return;
  }
}

static void take_arguments(command_line *line, char *const *argv) {
  int next = 1, options_ended = 0;
  while (argv[next] != NULL) {
    const char *argument = argv[next];
    if (options_ended || argument[0] != '-' || argument[1] == '\0') {
      line->word[line->n_words++] = argument;
      next++;
    } else if (strcmp(argument, "--") == 0) {
      options_ended = 1;
      next++;
    } else if (argument[1] == '-') {
      take_long(line, argv, &next);
    } else {
      take_letters(line, argv, &next);
    }
  }
}

/* ---- Second pass: does it fit together --------------------------------------------- */

/* Lists the commands an option goes with: "--check, --rerun". */
static const char *list_commands(unsigned commands, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int c = XS_COMMAND_RUN; c <= XS_COMMAND_RERUN; c++) {
    if (!(commands & GOES_WITH(c))) continue;
    int n = snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", command_names[c]);
    if (n > 0 && (size_t)n < size - used) used += (size_t)n;
  }
  return buffer;
}

static void check_fit(command_line *line) {
  const xs_options *options = line->options;
  for (int i = 0; i < N_OPTIONS; i++) {
    char fitting[128];
    if (line->given[i] > 0 && !(table[i].commands & GOES_WITH(options->command)))
      USAGE(line->report, "--%s does not go with %s; it goes with: %s", table[i].name,
            command_names[options->command],
            list_commands(table[i].commands, fitting, sizeof fitting));
  }
  if (options->quiet && options->verbose)
    USAGE(line->report, "--quiet and --verbose cannot be combined; give one of them");
  if (options->quiet && options->progress == XS_PROGRESS_ALWAYS)
    USAGE(line->report, "--quiet and --progress always cannot be combined; give one of them");
}

/* The scene's file: one for a run and a check, none for the rest. */
static void check_words(command_line *line) {
  xs_options *options = line->options;
  const int wants_scene =
      options->command == XS_COMMAND_RUN || options->command == XS_COMMAND_CHECK;
  if (!wants_scene && line->n_words > 0)
    USAGE(line->report, "%s takes no scene; found \"%s\"", command_names[options->command],
          line->word[0]);
  if (wants_scene && line->n_words == 0)
    USAGE(line->report, "no scene given; usage: xsim SCENE.json -o OUT.h5, or see xsim --help");
  if (wants_scene && line->n_words > 1)
    USAGE(line->report, "one scene at a time; found \"%s\" and \"%s\"", line->word[0],
          line->word[1]);
  if (wants_scene && line->n_words > 0) options->scene = line->word[0];
  if (options->command == XS_COMMAND_RERUN && options->output == NULL)
    USAGE(line->report, "--rerun needs --output: where the new result goes");
  if (options->input != NULL && options->input[0] == '\0')
    USAGE(line->report, "%s needs the name of a result, such as out.h5",
          command_names[options->command]);
}

/* dir/arm.json -> arm.h5. NULL when memory is exhausted. */
static const char *default_output(const char *scene, xs_arena *arena) {
  const char *slash = strrchr(scene, '/');
  const char *base = slash != NULL ? slash + 1 : scene;
  size_t length = strlen(base);
  if (length > 5 && strcmp(base + length - 5, ".json") == 0) length -= 5;

  char *output = XS_ARENA_NEW(arena, char, length + sizeof ".h5");
  if (output == NULL) return NULL;
  memcpy(output, base, length);
  memcpy(output + length, ".h5", sizeof ".h5");
  return output;
}

xs_status xs_options_parse(int argc, char *const *argv, xs_arena *arena, xs_options *options,
                           xs_report *report) {
  const int errors_before = report->n_errors;
  *options = (xs_options){.until = NAN, .max_wall = INFINITY};

  /* Every argument is at most one override and one word. */
  command_line line = {.options = options, .report = report};
  options->set = XS_ARENA_NEW(arena, const char *, argc + 1);
  line.word = XS_ARENA_NEW(arena, const char *, argc + 1);
  if (options->set == NULL || line.word == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the command line");

  take_arguments(&line, argv);
  if (line.command != NULL) options->command = line.command->command;

  /* A command line that was not read in full is not judged as a whole, and whoever asks
   * for help or the version wants nothing else. */
  if (report->n_errors == errors_before && options->command < XS_COMMAND_VERSION) {
    check_fit(&line);
    check_words(&line);
  }
  if (report->n_errors > errors_before) return XS_USAGE;

  if (options->scene != NULL && options->output == NULL) {
    options->output = default_output(options->scene, arena);
    if (options->output == NULL)
      return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the output's name");
  }
  return XS_OK;
}

/* ---- Help -------------------------------------------------------------------------- */

const char *xs_options_name(int i) { return i >= 0 && i < N_OPTIONS ? table[i].name : NULL; }

static void write_option(FILE *stream, const option *o) {
  char head[64], letter[8] = "    ";
  if (o->letter != 0) snprintf(letter, sizeof letter, "-%c, ", o->letter);
  const char *open = o->use == VALUE_OPTIONAL ? "[" : "", *close = open[0] ? "]" : "";
  snprintf(head, sizeof head, "%s--%s%s%s%s%s", letter, o->name, o->value ? " " : "", open,
           o->value ? o->value : "", close);

  /* The first line of the text beside the option, the others below it. */
  fprintf(stream, "  %-25s ", head);
  for (const char *text = o->help;;) {
    const size_t length = strcspn(text, "\n");
    fprintf(stream, "%.*s\n", (int)length, text);
    if (text[length] == '\0') break;
    text += length + 1;
    fprintf(stream, "  %-25s ", "");
  }
}

void xs_options_write_help(FILE *stream) {
  fputs(
      "usage: xsim SCENE.json [-o OUT.h5] [options]     run one scene\n"
      "       xsim --check SCENE.json [options]         check it, write nothing\n"
      "       xsim --resume OUT.h5 [--until T]          go on with a result\n"
      "       xsim --rerun OUT.h5 -o NEW.h5             run its scene again\n"
      "       xsim --help [TOPIC] | --version | --schema\n"
      "\n"
      "Simulates rigid bodies and joints described by a JSON scene and writes HDF5.\n"
      "\n"
      "options:\n",
      stream);
  for (int i = 0; i < N_OPTIONS; i++) write_option(stream, &table[i]);
  fputs(
      "\n"
      "exit status:\n"
      "  0  done, and every check of the scene held\n"
      "  1  internal fault\n"
      "  2  wrong command line\n"
      "  3  wrong scene, also: not found; nothing was written\n"
      "  4  reading or writing failed: disk full, no permission, another run owns the\n"
      "     output, a .partial stands in the way\n"
      "  5  diverged; the result is kept up to there\n"
      "  6  stopped early on request (signal, --max-wall); can be resumed\n"
      "  7  ran to the end, but a check of the scene failed\n"
      "\n"
      "SIGINT and SIGTERM end the run after the step it is in, with a checkpoint; a\n"
      "second one ends the program at once, and the .partial can be resumed. Summary and\n"
      "--check go to stdout; errors, warnings and progress to stderr.\n",
      stream);
}
