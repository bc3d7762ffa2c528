/* The command line: good lines give the options they say, bad ones are refused with a
 * message that names the mistake and what to do. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/options.h"

enum { MAX_WORDS = 16 };

/* One command line, split at blanks, as main would get it. */
typedef struct parsed {
  char text[256];
  char *argv[MAX_WORDS];
  int argc;
  xs_arena arena;
  xs_options options;
  xs_report report;
  xs_status status;
} parsed;

static void parse(parsed *p, const char *line) {
  memset(p, 0, sizeof *p);
  snprintf(p->text, sizeof p->text, "xsim %s", line);
  char *save = NULL;
  for (char *word = strtok_r(p->text, " ", &save); word; word = strtok_r(NULL, " ", &save))
    p->argv[p->argc++] = word;
  p->status = xs_options_parse(p->argc, p->argv, &p->arena, &p->options, &p->report);
}

static int same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

Test(options, good_lines_give_files_and_commands) {
  static const struct {
    const char *line;
    xs_command command;
    const char *scene, *input, *output, *topic;
  } lines[] = {
      {"arm.json", XS_COMMAND_RUN, "arm.json", NULL, "arm.h5", NULL},
      {"dir/arm.json", XS_COMMAND_RUN, "dir/arm.json", NULL, "arm.h5", NULL},
      {"dir.json/arm", XS_COMMAND_RUN, "dir.json/arm", NULL, "arm.h5", NULL},
      {"arm.txt", XS_COMMAND_RUN, "arm.txt", NULL, "arm.txt.h5", NULL},
      {".json", XS_COMMAND_RUN, ".json", NULL, ".json.h5", NULL},
      {"arm.json -o x.h5", XS_COMMAND_RUN, "arm.json", NULL, "x.h5", NULL},
      {"-ox.h5 arm.json", XS_COMMAND_RUN, "arm.json", NULL, "x.h5", NULL},
      {"--output=x.h5 arm.json", XS_COMMAND_RUN, "arm.json", NULL, "x.h5", NULL},
      {"--output x.h5 -- -arm.json", XS_COMMAND_RUN, "-arm.json", NULL, "x.h5", NULL},
      {"-o -x.h5 arm.json", XS_COMMAND_RUN, "arm.json", NULL, "-x.h5", NULL},
      {"--check arm.json", XS_COMMAND_CHECK, "arm.json", NULL, "arm.h5", NULL},
      {"arm.json -o x.h5 --check", XS_COMMAND_CHECK, "arm.json", NULL, "x.h5", NULL},
      {"--resume x.h5", XS_COMMAND_RESUME, NULL, "x.h5", NULL, NULL},
      {"--resume=x.h5.partial --until 3", XS_COMMAND_RESUME, NULL, "x.h5.partial", NULL, NULL},
      {"--rerun x.h5 -o y.h5", XS_COMMAND_RERUN, NULL, "x.h5", "y.h5", NULL},
      {"--help", XS_COMMAND_HELP, NULL, NULL, NULL, NULL},
      {"-h", XS_COMMAND_HELP, NULL, NULL, NULL, NULL},
      {"--help scene", XS_COMMAND_HELP, NULL, NULL, NULL, "scene"},
      {"--help=solver.solve", XS_COMMAND_HELP, NULL, NULL, NULL, "solver.solve"},
      {"arm.json --check --help -q", XS_COMMAND_HELP, NULL, NULL, NULL, NULL},
      {"--help --version", XS_COMMAND_HELP, NULL, NULL, NULL, NULL},
      {"--version", XS_COMMAND_VERSION, NULL, NULL, NULL, NULL},
      {"--schema", XS_COMMAND_SCHEMA, NULL, NULL, NULL, NULL},
      {"--schema sweep", XS_COMMAND_SCHEMA, NULL, NULL, NULL, "sweep"},
      {"--sweep dir/arm.sweep.json", XS_COMMAND_SWEEP, NULL, NULL, "arm", NULL},
      {"--sweep arm.json", XS_COMMAND_SWEEP, NULL, NULL, "arm", NULL},
      {"--sweep arm.json -o out/", XS_COMMAND_SWEEP, NULL, NULL, "out/", NULL},
      {"--check --sweep arm.json", XS_COMMAND_SWEEP, NULL, NULL, "arm", NULL},
      {"--sweep arm.json --check", XS_COMMAND_SWEEP, NULL, NULL, "arm", NULL},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    parsed p;
    parse(&p, lines[i].line);
    cr_assert_eq(p.status, XS_OK, "%s: %s", lines[i].line, p.report.kept[0].text);
    cr_expect_eq(p.options.command, lines[i].command, "%s", lines[i].line);
    if (lines[i].command < XS_COMMAND_VERSION) {
      cr_expect(same_text(p.options.scene, lines[i].scene), "%s", lines[i].line);
      cr_expect(same_text(p.options.output, lines[i].output), "%s: %s", lines[i].line,
                p.options.output);
    }
    cr_expect(same_text(p.options.input, lines[i].input), "%s", lines[i].line);
    cr_expect(same_text(p.options.topic, lines[i].topic), "%s", lines[i].line);
    xs_arena_free(&p.arena);
  }
}

Test(options, defaults_are_those_of_the_help) {
  parsed p;
  parse(&p, "arm.json");
  cr_expect(isnan(p.options.until));
  cr_expect(isinf(p.options.max_wall));
  cr_expect_eq(p.options.n_set, 0);
  cr_expect_eq(p.options.threads, 1);
  cr_expect_eq(p.options.force + p.options.quiet + p.options.verbose, 0);
  cr_expect_eq(p.options.progress, XS_PROGRESS_AUTO);
  cr_expect_eq(p.options.error_format, XS_REPORT_AS_TEXT);
  xs_arena_free(&p.arena);
}

Test(options, values_arrive) {
  parsed p;
  parse(&p,
        "a.json -s time.step=1e-3 --set=solver.solve=block -sx=1 -vf --max-wall 2.5e1 "
        "--progress=never --error-format json");
  cr_assert_eq(p.status, XS_OK, "%s", p.report.kept[0].text);
  cr_assert_eq(p.options.n_set, 3);
  cr_expect_str_eq(p.options.set[0], "time.step=1e-3");
  cr_expect_str_eq(p.options.set[1], "solver.solve=block");
  cr_expect_str_eq(p.options.set[2], "x=1");
  cr_expect(p.options.verbose && p.options.force && !p.options.quiet);
  cr_expect_eq(p.options.max_wall, 25.0);
  cr_expect_eq(p.options.progress, XS_PROGRESS_NEVER);
  cr_expect_eq(p.options.error_format, XS_REPORT_AS_JSON);
  xs_arena_free(&p.arena);

  parse(&p, "--resume a.h5 --until 0.5");
  cr_expect_eq(p.options.until, 0.5);
  xs_arena_free(&p.arena);
}

/* Each message holds the mistake and the way out. */
Test(options, bad_lines_are_refused_with_what_to_do) {
  static const struct {
    const char *line, *text;
  } lines[] = {
      {"", "no scene given; usage: xsim SCENE.json -o OUT.h5"},
      {"--chek a.json", "unknown option --chek; did you mean --check?"},
      {"--outputs=x a.json", "unknown option --outputs; did you mean --output?"},
      {"--jobs 4 a.json", "--jobs does not go with running a scene; it goes with: --sweep"},
      {"--threads 0 a.json", "--threads 0: not a count; give a whole number from 1 to 256"},
      {"--check a.json --threads 2", "--threads does not go with --check"},
      {"--task=1 a.json", "--task does not go with running a scene"},
      {"--list a.json", "--list does not go with running a scene"},
      {"--sweep s.json a.json", "--sweep takes no scene; found \"a.json\""},
      {"--sweep=", "--sweep needs the name of a sweep file"},
      {"--sweep s.json --jobs 0", "--jobs 0: not a count; give a whole number from 1 to"},
      {"--sweep s.json --jobs 1.5", "--jobs 1.5: not a count"},
      {"--sweep s.json --task -1", "--task -1: not a count; give a whole number from 0 to"},
      {"--sweep s.json --task 1 --jobs 2", "--task and --jobs cannot be combined"},
      {"--sweep s.json --list --check", "--check and --list cannot be combined"},
      {"--sweep s.json --list --collect", "--list and --collect cannot be combined"},
      {"--sweep s.json --resume x.h5", "--sweep and --resume cannot be combined"},
      {"--sweep s.json --until 3", "--until does not go with --sweep"},
      {"--max a.json", "unknown option --max"},
      {"-x a.json", "unknown option -x; xsim --help lists all"},
      {"-qx a.json", "unknown option -x"},
      {"a.json -o", "-o needs a value: -o FILE"},
      {"a.json --output", "--output needs a value: --output FILE"},
      {"a.json --output -- b", "--output needs a value"},
      {"a.json --output=", "names no file"},
      {"a.json -o dir/", "names no file"},
      {"a.json -o x.h5.partial", "leave it out"},
      {"a.json -o x -o y", "--output is given more than once; give it once"},
      {"a.json --quiet=yes", "--quiet takes no value; found \"yes\""},
      {"a.json -s time.step", "expected PATH=VALUE, such as time.step=5e-4"},
      {"a.json -s =3", "expected PATH=VALUE"},
      {"a.json --max-wall 0", "give wall seconds above 0"},
      {"a.json --max-wall -3", "give wall seconds above 0"},
      {"a.json --max-wall inf", "give wall seconds above 0"},
      {"a.json --max-wall 3x", "give wall seconds above 0"},
      {"a.json --max-wall 1e999", "give wall seconds above 0"},
      {"--resume x.h5 --until 0x10", "give simulated seconds, 0 or more"},
      {"--resume x.h5 --until -1", "give simulated seconds, 0 or more"},
      {"a.json --progress alway", "did you mean \"always\"? (auto, always, never)"},
      {"a.json --error-format xml", "unknown value"},
      {"a.json b.json", "one scene at a time; found \"a.json\" and \"b.json\""},
      {"--check", "no scene given"},
      {"--check a.json --force",
       "--force does not go with --check; it goes with: running a scene, "
       "--rerun"},
      {"--check a.json --max-wall 3", "--max-wall does not go with --check"},
      {"a.json --until 3", "--until does not go with running a scene; it goes with: --resume"},
      {"--resume x.h5 -o y.h5", "--output does not go with --resume"},
      {"--resume x.h5 -s a=1", "--set does not go with --resume"},
      {"--resume x.h5 a.json", "--resume takes no scene; found \"a.json\""},
      {"--resume", "--resume needs a value: --resume OUT.h5"},
      {"--resume=", "--resume needs the name of a result"},
      {"--rerun x.h5", "--rerun needs --output"},
      {"--rerun x.h5 -o y.h5 a.json", "--rerun takes no scene"},
      {"--resume x.h5 --rerun y.h5", "--resume and --rerun cannot be combined"},
      {"--check --resume x.h5", "--check and --resume cannot be combined"},
      {"--schema -- a.json", "--schema takes no scene"},
      {"-qv a.json", "--quiet and --verbose cannot be combined"},
      {"-q --progress always a.json", "--quiet and --progress always cannot be combined"},
      {"--bogus --help", "unknown option --bogus"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    parsed p;
    parse(&p, lines[i].line);
    cr_expect_eq(p.status, XS_USAGE, "%s: status %d", lines[i].line, (int)p.status);
    cr_expect(p.report.n_errors == 1 && strstr(p.report.kept[0].text, lines[i].text) != NULL,
              "xsim %s: %d errors, first: %s", lines[i].line, p.report.n_errors,
              p.report.kept[0].text);
    xs_arena_free(&p.arena);
  }
}

Test(options, all_mistakes_are_told_at_once_in_the_format_asked_for) {
  parsed p;
  parse(&p, "--chek --max-wall x --error-format json");
  cr_expect_eq(p.status, XS_USAGE);
  cr_expect_eq(p.report.n_errors, 2);
  cr_expect_eq(p.options.error_format, XS_REPORT_AS_JSON);
  xs_arena_free(&p.arena);
}

/* Help and manual page come from different hands: every option is in both. */
Test(options, every_option_is_in_help_and_manual) {
  char *help = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&help, &size);
  cr_assert_not_null(stream);
  xs_options_write_help(stream);
  cr_assert_eq(fclose(stream), 0);

  static char manual[65536];
  FILE *file = fopen("docs/xsim.1", "r");
  cr_assert_not_null(file, "run the tests from the project's root");
  size_t length = fread(manual, 1, sizeof manual - 1, file);
  manual[length] = '\0';
  fclose(file);

  for (int i = 0; xs_options_name(i) != NULL; i++) {
    char in_help[64], in_manual[64];
    snprintf(in_help, sizeof in_help, "--%s", xs_options_name(i));
    snprintf(in_manual, sizeof in_manual, "Fl Fl %s", xs_options_name(i));
    cr_expect(strstr(help, in_help) != NULL, "%s", in_help);
    cr_expect(strstr(manual, in_manual) != NULL, "%s", in_manual);
  }
  free(help);
}

/* No line of the help is wider than a terminal. */
Test(options, help_fits_into_80_columns) {
  char *help = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&help, &size);
  cr_assert_not_null(stream);
  xs_options_write_help(stream);
  cr_assert_eq(fclose(stream), 0);
  for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1)
    cr_expect(strcspn(line, "\n") < 80, "%.*s", (int)strcspn(line, "\n"), line);
  free(help);
}
