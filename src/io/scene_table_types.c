/* Types that several objects of the table share: numbers, vectors, orientations, functions
 * of time, motions. See scene_table.h; the objects themselves are in the table's other files.
 *
 * A function of time of an angle is a function whose values may be {"deg": x}: constants,
 * ends of a ramp, offset and amplitude of a sine, values of a table, terms of a sum. The
 * terms of a product stay numbers, because only one of them could be an angle. */
#include "io/scene_table_parts.h"

/* ---- Simple types ---- */

const xs_type number = {.kind = XS_TYPE_NUMBER, .phrase = "a number"};
const xs_type boolean = {.kind = XS_TYPE_BOOL, .phrase = "true or false"};
const xs_type angle = {.kind = XS_TYPE_ANGLE,
                       .phrase = "an angle (a number in rad or {\"deg\": number})"};
const xs_type vec3 = {.kind = XS_TYPE_ARRAY,
                      .phrase = "three numbers [x, y, z]",
                      .item = &number,
                      .min_items = 3,
                      .max_items = 3};
static const xs_type quaternion = {.kind = XS_TYPE_ARRAY,
                                   .phrase = "four numbers [w, x, y, z]",
                                   .item = &number,
                                   .min_items = 4,
                                   .max_items = 4};
static const xs_type matrix = {.kind = XS_TYPE_ARRAY,
                               .phrase = "three rows of three numbers",
                               .item = &vec3,
                               .min_items = 3,
                               .max_items = 3};

static const xs_key degrees_keys[] = {
    {"deg", &number, "deg", REQUIRED, ANY, ALWAYS, "The angle in degrees."}, END};
const xs_object xs_scene_degrees_object = {"degrees", "An angle in degrees.", degrees_keys, NULL};

/* ---- Orientation: one of four forms ---- */

static const xs_key orientation_keys[] = {
    {"axis", &vec3, "1", NO_DEFAULT, ANY, ALWAYS, "Axis of the rotation, not zero; normalised."},
    {"angle", &angle, "rad", NO_DEFAULT, ANY, ALWAYS, "Angle of the rotation about axis."},
    {"quaternion", &quaternion, "1", NO_DEFAULT, ANY, ALWAYS,
     "Quaternion [w, x, y, z], not zero; normalised."},
    {"matrix", &matrix, "1", NO_DEFAULT, ANY, ALWAYS,
     "Rotation matrix by rows, orthogonal within 1e-6, determinant +1."},
    {"rotation_vector", &vec3, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Rotation vector: axis times angle."},
    END};
static const xs_object orientation_object = {
    "orientation", "An active rotation from the frame's axes to those of the frame it stands in.",
    orientation_keys, WORDS("axis+angle", "quaternion", "matrix", "rotation_vector")};
const xs_type orientation = {.kind = XS_TYPE_OBJECT,
                             .phrase =
                                 "an object {\"axis\", \"angle\"}, {\"quaternion\"}, "
                                 "{\"matrix\"} or {\"rotation_vector\"}",
                             .object = &orientation_object};

/* ---- Functions of time ---- */

static const xs_type interpolation = {
    .kind = XS_TYPE_WORD, .phrase = "interpolation", .words = WORDS("linear", "cubic")};
static const xs_type times = {.kind = XS_TYPE_ARRAY,
                              .phrase = "an array of at least two numbers",
                              .item = &number,
                              .min_items = 2};
static const xs_type angles = {.kind = XS_TYPE_ARRAY,
                               .phrase = "an array of at least two angles",
                               .item = &angle,
                               .min_items = 2};

/* The keys of each form, for values of a type. */
#define RAMP_KEYS(value, unit)                                                                    \
  {"from", &(value), unit, REQUIRED, ANY, ALWAYS, "Value until start."},                          \
      {"to", &(value), unit, REQUIRED, ANY, ALWAYS, "Value from end on."},                        \
      {"start", &number, "s", "0", ANY, ALWAYS, "Time at which the value begins to change."},     \
      {"end", &number, "s", REQUIRED, ANY, ALWAYS, "Time at which it has changed; after start."}, \
      {"smooth",                                                                                  \
       &boolean,                                                                                  \
       NO_UNIT,                                                                                   \
       "false",                                                                                   \
       ANY,                                                                                       \
       ALWAYS,                                                                                    \
       "Change along 3 s^2 - 2 s^3 instead of s."},                                               \
      END
#define SINE_KEYS(value, unit)                                                                 \
  {"offset", &(value), unit, "0", ANY, ALWAYS, "Mean value."},                                 \
      {"amplitude", &(value), unit, REQUIRED, ANY, ALWAYS, "Amplitude about the mean value."}, \
      {"frequency", &number, "Hz", REQUIRED, ANY, ALWAYS, "Cycles a second."},                 \
      {"phase", &angle, "rad", "0", ANY, ALWAYS, "Phase at t = 0."}, END
#define TABLE_KEYS(values, unit)                                                   \
  {"time",                                                                         \
   &times,                                                                         \
   "s",                                                                            \
   REQUIRED,                                                                       \
   ANY,                                                                            \
   ALWAYS,                                                                         \
   "Times, at least two, strictly increasing; the value is constant outside."},    \
      {"value", &(values), unit, REQUIRED, ANY, ALWAYS, "A value for each time."}, \
      {"interpolation",                                                            \
       &interpolation,                                                             \
       NO_UNIT,                                                                    \
       "\"linear\"",                                                               \
       ANY,                                                                        \
       ALWAYS,                                                                     \
       "Between the times: straight lines, or a natural cubic spline."},           \
      END

static const xs_key ramp_keys[] = {RAMP_KEYS(number, NO_UNIT)};
static const xs_key sine_keys[] = {SINE_KEYS(number, NO_UNIT)};
static const xs_key table_keys[] = {TABLE_KEYS(times, NO_UNIT)};
static const xs_key angle_ramp_keys[] = {RAMP_KEYS(angle, "rad")};
static const xs_key angle_sine_keys[] = {SINE_KEYS(angle, "rad")};
static const xs_key angle_table_keys[] = {TABLE_KEYS(angles, "rad")};

#define SINE_MEANING "offset + amplitude sin(2 pi frequency t + phase)."
static const xs_object ramp_object = {"ramp", "A change from one value to another.", ramp_keys,
                                      NULL};
static const xs_object sine_object = {"sine", SINE_MEANING, sine_keys, NULL};
static const xs_object table_object = {"table", "Values at given times.", table_keys, NULL};
static const xs_object angle_ramp_object = {"angle_ramp", "A change from one angle to another.",
                                            angle_ramp_keys, NULL};
static const xs_object angle_sine_object = {"angle_sine", SINE_MEANING, angle_sine_keys, NULL};
static const xs_object angle_table_object = {"angle_table", "Angles at given times.",
                                             angle_table_keys, NULL};
static const xs_type ramp = FORM(ramp_object);
static const xs_type sine = FORM(sine_object);
static const xs_type table = FORM(table_object);
static const xs_type angle_ramp = FORM(angle_ramp_object);
static const xs_type angle_sine = FORM(angle_sine_object);
static const xs_type angle_table = FORM(angle_table_object);

static const xs_type functions = {.kind = XS_TYPE_ARRAY,
                                  .phrase = "an array of at least one function of time",
                                  .item = &function,
                                  .min_items = 1};
static const xs_type angle_functions = {.kind = XS_TYPE_ARRAY,
                                        .phrase = "an array of at least one function of time",
                                        .item = &angle_function,
                                        .min_items = 1};
#define FUNCTION_KEYS(ramp, sine, table, functions, unit)                                     \
  {"ramp", &(ramp), NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "A change from one value to another."}, \
      {"sine", &(sine), NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "A sine."},                         \
      {"table", &(table), NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Values at given times."}, {      \
    "sum", &(functions), unit, NO_DEFAULT, ANY, ALWAYS, "The sum of functions of time."       \
  }
static const xs_key function_keys[] = {
    FUNCTION_KEYS(ramp, sine, table, functions, NO_UNIT),
    {"product", &functions, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "The product of functions of time."},
    END};
static const xs_key angle_function_keys[] = {
    FUNCTION_KEYS(angle_ramp, angle_sine, angle_table, angle_functions, "rad"),
    {"product", &functions, "rad", NO_DEFAULT, ANY, ALWAYS,
     "The product of functions of time, all of them numbers; the product is in rad."},
    END};

#define FUNCTION_FORMS WORDS("ramp", "sine", "table", "sum", "product")
static const xs_object function_object = {"function", "A value that changes with time.",
                                          function_keys, FUNCTION_FORMS};
static const xs_object angle_function_object = {
    "angle_function", "An angle that changes with time.", angle_function_keys, FUNCTION_FORMS};
static const xs_type function_form = FORM(function_object);
static const xs_type angle_function_form = FORM(angle_function_object);

const xs_type function = {.kind = XS_TYPE_CHOICE,
                          .phrase =
                              "a function of time (a number, or an object with "
                              "ramp, sine, table, sum or product)",
                          .options = OPTIONS(&number, &function_form)};
const xs_type angle_function = {.kind = XS_TYPE_CHOICE,
                                .phrase =
                                    "a function of time (an angle in rad or {\"deg\": number}, "
                                    "or an object with ramp, sine, table, sum or product)",
                                .options = OPTIONS(&angle, &angle_function_form)};
const xs_type function3 = {.kind = XS_TYPE_ARRAY,
                           .phrase = "three functions of time [x, y, z]",
                           .item = &function,
                           .min_items = 3,
                           .max_items = 3};
const xs_type angle_function3 = {.kind = XS_TYPE_ARRAY,
                                 .phrase = "three functions of time [x, y, z]",
                                 .item = &angle_function,
                                 .min_items = 3,
                                 .max_items = 3};

/* ---- Prescribed motions ---- */

static const xs_key rotation_keys[] = {
    {"axis", &vec3, "1", NO_DEFAULT, ANY, ALWAYS, "Axis of the rotation, not zero; normalised."},
    {"angle", &angle_function, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Angle about axis over time, any number of turns."},
    {"vector", &angle_function3, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Rotation vector over time: axis times angle."},
    END};
static const xs_object rotation_object = {
    "rotation", "A rotation that changes with time, about the moved frame's own origin.",
    rotation_keys, WORDS("axis+angle", "vector")};
static const xs_type rotation = {.kind = XS_TYPE_OBJECT,
                                 .phrase = "an object {\"axis\", \"angle\"} or {\"vector\"}",
                                 .object = &rotation_object};
static const xs_key motion_keys[] = {
    {"translation", &function3, "m", NO_DEFAULT, ANY, ALWAYS,
     "Displacement of the frame's origin over time, in the axes of body1 (joints) or of the "
     "world (bodies); left out: none."},
    {"rotation", &rotation, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Rotation of the frame over time, in the same axes; left out: none."},
    END};
static const xs_object motion_object = {
    "motion",
    "A prescribed motion of a frame: at time t it stands at position + translation(t), turned by "
    "Exp(rotation(t)) orientation.",
    motion_keys, WORDS("translation", "rotation", "translation+rotation")};
const xs_type motion = {.kind = XS_TYPE_OBJECT,
                        .phrase = "an object with translation, rotation or both",
                        .object = &motion_object};
