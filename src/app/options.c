/* Parsing the command line (options.h).
 *
 * Two passes: the first walks the arguments and notes every option and value, collecting
 * mistakes; the second holds what was given against the command (does the option go with
 * it, is its scene there) and fills in the default output. */
#include <math.h>
#include <string.h>

#include "app/options_table.h"
#include "base/suggest.h"

/* What the first pass found. */
typedef struct command_line {
  xs_options *options;
  xs_report *report;
  int given[XS_N_OPTIONS];  /* how often */
  const xs_option *command; /* the option that asked for the command, NULL = none did */
  int n_words;
  const char **word; /* arguments that are no options */
} command_line;

/* ---- First pass: the arguments one by one ------------------------------------------ */

/* Notes the command that an option asks for. --help wins over --version, both over the rest. */
static void take_command(command_line *line, const xs_option *found) {
  const xs_option *earlier = line->command;
  if (earlier == NULL ||
      (found->command >= XS_COMMAND_VERSION && found->command > earlier->command))
    line->command = found;
  else if (earlier->command == XS_COMMAND_CHECK && found->command == XS_COMMAND_SWEEP)
    line->command = found; /* a sweep is checked, too */
  else if (earlier->command == XS_COMMAND_SWEEP && found->command == XS_COMMAND_CHECK)
    return;
  else if (earlier != found && earlier->command < XS_COMMAND_VERSION)
    XS_USAGE_ERROR(line->report, "--%s and --%s cannot be combined; give one of them",
                   earlier->name, found->name);
}

static void take(command_line *line, const xs_option *found, const char *value) {
  int *given = &line->given[found - xs_options_table];
  *given += 1;
  if (*given == 2 && found->use != XS_VALUE_NONE && !found->repeatable)
    XS_USAGE_ERROR(line->report, "--%s is given more than once; give it once", found->name);
  if (found->command != XS_COMMAND_RUN) take_command(line, found);
  if (found->apply != NULL) found->apply(line->options, value, line->report);
}

/* The value of an option at the end of an argument: the next argument, if it may be one.
 * Moves *next past what it takes. Returns 0 when a value is needed and not there. */
static int next_value(const xs_option *found, char *const *argv, int *next, const char **value) {
  const char *candidate = argv[*next];
  *value = NULL;
  if (found->use == XS_VALUE_NONE) return 1;
  if (found->use == XS_VALUE_OPTIONAL && (candidate == NULL || candidate[0] == '-')) return 1;
  if (candidate == NULL || strcmp(candidate, "--") == 0) return 0;
  *value = candidate;
  *next += 1;
  return 1;
}

/* length: of the name without a value behind it. */
static void report_unknown(command_line *line, const char *name, size_t length) {
  char word[64];
  const char *names[XS_N_OPTIONS];
  snprintf(word, sizeof word, "%.*s", length < 63 ? (int)length : 63, name);
  for (int i = 0; i < XS_N_OPTIONS; i++) names[i] = xs_options_table[i].name;

  const char *nearest = xs_suggest_nearest(word, XS_N_OPTIONS, names);
  if (nearest != NULL)
    XS_USAGE_ERROR(line->report, "unknown option --%s; did you mean --%s?", word, nearest);
  else
    XS_USAGE_ERROR(line->report, "unknown option --%s; xsim --help lists all", word);
}

/* --name, --name=value or --name value at argv[*next]. */
static void take_long(command_line *line, char *const *argv, int *next) {
  const char *name = argv[*next] + 2;
  const size_t length = strcspn(name, "=");
  const char *value = name[length] == '=' ? name + length + 1 : NULL;
  *next += 1;

  const xs_option *found = NULL;
  for (int i = 0; i < XS_N_OPTIONS && found == NULL; i++)
    if (strncmp(xs_options_table[i].name, name, length) == 0 &&
        xs_options_table[i].name[length] == '\0')
      found = &xs_options_table[i];

  if (found == NULL) {
    report_unknown(line, name, length);
  } else if (value != NULL && found->use == XS_VALUE_NONE) {
    XS_USAGE_ERROR(line->report, "--%s takes no value; found \"%s\"", found->name, value);
  } else if (value == NULL && !next_value(found, argv, next, &value)) {
    XS_USAGE_ERROR(line->report, "--%s needs a value: --%s %s", found->name, found->name,
                   found->value);
  } else {
    take(line, found, value);
  }
}

/* -x, -xvalue, -x value or joined letters -xyz at argv[*next]. */
static void take_letters(command_line *line, char *const *argv, int *next) {
  const char *letter = argv[*next] + 1;
  *next += 1;
  for (; *letter != '\0'; letter++) {
    const xs_option *found = NULL;
    for (int i = 0; i < XS_N_OPTIONS && found == NULL; i++)
      if (xs_options_table[i].letter == *letter) found = &xs_options_table[i];

    const char *value = letter[1] != '\0' ? letter + 1 : NULL;
    if (found == NULL) {
      XS_USAGE_ERROR(line->report, "unknown option -%c; xsim --help lists all", *letter);
      return;
    }
    if (found->use == XS_VALUE_NONE) {
      take(line, found, NULL);
      continue;
    }
    if (value == NULL && !next_value(found, argv, next, &value))
      XS_USAGE_ERROR(line->report, "-%c needs a value: -%c %s", *letter, *letter, found->value);
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
  for (int c = XS_COMMAND_RUN; c <= XS_COMMAND_SWEEP; c++) {
    if (!(commands & XS_GOES_WITH(c))) continue;
    int n = snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "",
                     xs_options_command_names[c]);
    if (n > 0 && (size_t)n < size - used) used += (size_t)n;
  }
  return buffer;
}

/* What of a sweep is asked for: at most one of these. */
static void check_sweep(command_line *line) {
  static const char *const choices[] = {"check", "list", "collect", "task", "jobs"};
  const char *first = NULL;
  if (line->options->command != XS_COMMAND_SWEEP) return;
  for (int c = 0; c < 5; c++)
    for (int i = 0; i < XS_N_OPTIONS; i++) {
      if (line->given[i] == 0 || strcmp(xs_options_table[i].name, choices[c]) != 0) continue;
      if (first != NULL)
        XS_USAGE_ERROR(line->report, "--%s and --%s cannot be combined; give one of them", first,
                       choices[c]);
      first = choices[c];
    }
}

static void check_fit(command_line *line) {
  const xs_options *options = line->options;
  for (int i = 0; i < XS_N_OPTIONS; i++) {
    char fitting[128];
    if (line->given[i] > 0 && !(xs_options_table[i].commands & XS_GOES_WITH(options->command)))
      XS_USAGE_ERROR(line->report, "--%s does not go with %s; it goes with: %s",
                     xs_options_table[i].name, xs_options_command_names[options->command],
                     list_commands(xs_options_table[i].commands, fitting, sizeof fitting));
  }
  const size_t length = options->output != NULL ? strlen(options->output) : 0;
  if (length > 0 && options->output[length - 1] == '/' && options->command != XS_COMMAND_SWEEP)
    XS_USAGE_ERROR(line->report,
                   "--output %s: names no file; give the result's file, such as out.h5",
                   options->output);
  check_sweep(line);
  if (options->quiet && options->verbose)
    XS_USAGE_ERROR(line->report, "--quiet and --verbose cannot be combined; give one of them");
  if (options->quiet && options->progress == XS_PROGRESS_ALWAYS)
    XS_USAGE_ERROR(line->report,
                   "--quiet and --progress always cannot be combined; give one of them");
}

/* The scene's file: one for a run and a check, none for the rest. */
static void check_words(command_line *line) {
  xs_options *options = line->options;
  const int wants_scene =
      options->command == XS_COMMAND_RUN || options->command == XS_COMMAND_CHECK;
  if (!wants_scene && line->n_words > 0)
    XS_USAGE_ERROR(line->report, "%s takes no scene; found \"%s\"",
                   xs_options_command_names[options->command], line->word[0]);
  if (wants_scene && line->n_words == 0)
    XS_USAGE_ERROR(line->report,
                   "no scene given; usage: xsim SCENE.json -o OUT.h5, or see xsim --help");
  if (wants_scene && line->n_words > 1)
    XS_USAGE_ERROR(line->report, "one scene at a time; found \"%s\" and \"%s\"", line->word[0],
                   line->word[1]);
  if (wants_scene && line->n_words > 0) options->scene = line->word[0];
  if (options->command == XS_COMMAND_RERUN && options->output == NULL)
    XS_USAGE_ERROR(line->report, "--rerun needs --output: where the new result goes");
  if (options->input != NULL && options->input[0] == '\0')
    XS_USAGE_ERROR(line->report, "%s needs the name of a result, such as out.h5",
                   xs_options_command_names[options->command]);
}

/* Length of a name without the ending, which is not all of it. */
static size_t length_without(const char *name, size_t length, const char *ending) {
  const size_t tail = strlen(ending);
  return length > tail && strncmp(name + length - tail, ending, tail) == 0 ? length - tail : length;
}

/* dir/arm.json -> arm.h5; of a sweep dir/arm.sweep.json -> arm. NULL when memory is exhausted. */
static const char *default_output(const char *path, int of_sweep, xs_arena *arena) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path, *suffix = of_sweep ? "" : ".h5";
  size_t length = length_without(base, strlen(base), ".json");
  if (of_sweep) length = length_without(base, length, ".sweep");

  char *output = XS_ARENA_NEW(arena, char, length + strlen(suffix) + 1);
  if (output == NULL) return NULL;
  memcpy(output, base, length);
  memcpy(output + length, suffix, strlen(suffix));
  return output;
}

xs_status xs_options_parse(int argc, char *const *argv, xs_arena *arena, xs_options *options,
                           xs_report *report) {
  const int errors_before = report->n_errors;
  *options = (xs_options){.until = NAN, .max_wall = INFINITY, .task = -1, .jobs = 1, .threads = 1};

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

  const int is_sweep = options->command == XS_COMMAND_SWEEP;
  const char *file = is_sweep ? options->sweep : options->scene;
  if (file != NULL && options->output == NULL) {
    options->output = default_output(file, is_sweep, arena);
    if (options->output == NULL)
      return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the output's name");
  }
  return XS_OK;
}
