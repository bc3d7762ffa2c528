/* The table of recorded fields: every dataset that grows with time, declared once.
 *
 * From a line of the table come the dataset (path, shape, unit, long_name), the copying of
 * a record (where the numbers stand in the observation), the grammar of metrics (entries
 * and components), and the documentation of the format. A new recorded quantity is a new
 * line here and a member of xs_observation. A path with a star stands for a dataset of each
 * rod, whose name takes the star's place. Left out: names and types of bodies and joints,
 * arc lengths of rods, which do not change with time (result_create.c). */
#ifndef XS_IO_RESULT_FIELDS_H
#define XS_IO_RESULT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/report.h"
#include "model/world.h"

/* What the second axis of a dataset counts. */
typedef enum xs_result_axis {
  XS_AXIS_NONE,      /* T or T x components */
  XS_AXIS_BODY,      /* T x N [x components] */
  XS_AXIS_JOINT,     /* T x J [x components] */
  XS_AXIS_ROD,       /* T x R [x components] */
  XS_AXIS_ROD_NODE,  /* T x n x components, of one rod */
  XS_AXIS_ROD_GAUSS, /* T x g x components, of one rod */
  XS_N_AXES
} xs_result_axis;

/* What switches a dataset: a word of output.fields, or the solver's form of the rows. */
typedef enum xs_result_switch {
  XS_FIELD_ALWAYS,
  XS_FIELD_BODIES,
  XS_FIELD_JOINTS,
  XS_FIELD_RODS,
  XS_FIELD_CONTACTS, /* where there are any */
  XS_FIELD_PEAK,     /* residual_peak */
  XS_FIELD_SCALAR,   /* constraints scalar, scalar-mueller */
  XS_FIELD_STABILITY /* stability */
} xs_result_switch;

/* Where the numbers of a record come from. */
typedef enum xs_result_origin {
  XS_FROM_INSTANT,          /* a member of xs_result_instant */
  XS_FROM_OBSERVATION,      /* doubles inside xs_observation */
  XS_FROM_OBSERVATION_ARRAY /* doubles that a pointer inside xs_observation leads to */
} xs_result_origin;

typedef enum xs_result_number { XS_NUMBER_DOUBLE, XS_NUMBER_INT64 } xs_result_number;

/* What a record holds besides the observation. */
typedef struct xs_result_instant {
  double time;                          /* s */
  int64_t step;                         /* recorded steps done */
  int64_t contact_first, contact_count; /* rows of /contacts/pair, ... */
  double wall;                          /* mean wall seconds a step since the record before */
} xs_result_instant;

typedef struct xs_result_field {
  const char *path; /* "bodies/position"; of a rod: a star where its name goes */
  xs_result_axis axis;
  int components;               /* 1 = no axis of components */
  const char *const *component; /* their names, NULL if there is one component only */
  const char *unit, *long_name;
  xs_result_switch group;
  int skip_start; /* the row of t = 0 has no meaning: metrics leave it out */
  xs_result_number number;
  xs_result_origin origin;
  size_t offset; /* of the member named by origin */
} xs_result_field;

enum { XS_RESULT_N_FIELDS = 37 };

extern const xs_result_field xs_result_fields[XS_RESULT_N_FIELDS];

/* A field in a world: one for most, one a rod for those with a star. */
typedef struct xs_result_dataset {
  const xs_result_field *field;
  const char *path; /* without star */
  int entries;      /* along the axis, 1 without */
  int first;        /* entries that stand before these in the observation's array */
} xs_result_dataset;

/* 1 if a result of this world has the field: switched on, and with at least one entry. */
int xs_result_fields_recorded(const xs_world *world, const xs_result_field *field);

/* All datasets of a result of this world, in the table's order, from the arena. */
xs_status xs_result_fields_list(const xs_world *world, xs_arena *arena, xs_result_dataset **list,
                                int *n, xs_report *report);

/* Numbers of a record of this world. */
double xs_result_fields_numbers(const xs_world *world);

/* Whether a field has a dataset for each rod; the path of one. NULL without memory. */
int xs_result_fields_is_of_rod(const xs_result_field *field);
const char *xs_result_fields_rod_path(const xs_result_field *field, const char *rod,
                                      xs_arena *arena);

/* The dataset with the entries' names of an axis, "bodies/name"; NULL if they have none. */
const char *xs_result_fields_names_path(xs_result_axis axis);

#endif
