/* The table of sweep files, in the form of the scene's (io/scene_table.h), so that reader, schema
 * and help are the same. */
#include "app/sweep.h"
#include "io/scene_table_parts.h"

static const xs_type integer = {.kind = XS_TYPE_INTEGER, .phrase = "an integer"};
static const xs_type text = {.kind = XS_TYPE_STRING, .phrase = "a string"};
static const xs_type filled_text = {
    .kind = XS_TYPE_STRING, .phrase = "a string that is not empty", .min_items = 1};
static const xs_type mode = {
    .kind = XS_TYPE_WORD, .phrase = "sweep mode", .words = WORDS("grid", "zip")};

static const xs_type any = {.kind = XS_TYPE_ANY, .phrase = "any value"};
static const xs_type values = {.kind = XS_TYPE_ARRAY,
                               .phrase = "an array of at least one value",
                               .item = &any,
                               .min_items = 1};
static const xs_type parameters = {.kind = XS_TYPE_MAP,
                                   .phrase = "an object of arrays of values by path",
                                   .item = &values,
                                   .min_items = 1,
                                   .free_keys = 1};
static const xs_type metrics = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of metrics", .item = &filled_text, .unique = 1};

static const xs_key sweep_keys[] = {
    {"$schema", &text, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Where an editor finds the schema; not used by the program."},
    {"format", &integer, NO_UNIT, "1", BETWEEN(1, 1), ALWAYS, "Version of the sweep format."},
    {"description", &text, NO_UNIT, "\"\"", ANY, ALWAYS, "What the sweep shows."},
    {"scene", &filled_text, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "The scene's file, relative to the folder of the sweep file."},
    {"mode", &mode, NO_UNIT, "\"grid\"", ANY, ALWAYS,
     "grid: all combinations of the parameters' values, the last parameter fastest; zip: the "
     "first values of all, then the second ones, and so on."},
    {"parameters", &parameters, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Values by the path that --set would take: \"rods.beam.elements\": [1, 2, 4]. Several "
     "paths, separated by commas, change together, each value is then an array with one for each "
     "path: \"solver.update, solver.iterations\": [[\"xpbd\", 1], [\"corrected\", 5]]."},
    {"metrics", &metrics, NO_UNIT, "[]", ANY, ALWAYS,
     "Metrics of each case's result that the summary lists, such as residual.constraint.max."},
    END};
const xs_object xs_sweep_object = {"sweep", "Many cases of one scene, run by xsim --sweep.",
                                   sweep_keys, NULL};
