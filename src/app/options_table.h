/* The table of options: inside of options.c, options_table.c and options_help.c only. */
#ifndef XS_APP_OPTIONS_TABLE_H
#define XS_APP_OPTIONS_TABLE_H

#include "app/options.h"

typedef enum xs_option_value {
  XS_VALUE_NONE,
  XS_VALUE_REQUIRED,
  XS_VALUE_OPTIONAL
} xs_option_value;

/* Bit of a command in xs_option.commands. */
#define XS_GOES_WITH(command) (1u << (command))

/* Takes the value (NULL without one) into the options; adds an error if it is wrong. */
typedef void xs_option_apply(xs_options *options, const char *value, xs_report *report);

typedef struct xs_option {
  const char *name;
  char letter;        /* 0 = none */
  xs_command command; /* the command it asks for; XS_COMMAND_RUN = it asks for none */
  xs_option_value use;
  const char *value; /* name of the value in the help */
  unsigned commands; /* those it goes with */
  int repeatable;
  xs_option_apply *apply; /* NULL: giving it says all */
  const char *help;       /* one paragraph */
} xs_option;

enum { XS_N_OPTIONS = 21 };
extern const xs_option xs_options_table[XS_N_OPTIONS];

/* What a command is called in messages. */
extern const char *const xs_options_command_names[XS_COMMAND_HELP + 1];

/* Adds a mistake on the command line to a report. */
#define XS_USAGE_ERROR(report, ...) xs_report_error((report), XS_USAGE, NULL, __VA_ARGS__)

#endif
