/* Loads a scene and says what is wrong with it, for tests and for keeping the schema.
 *
 *   check_scene SCENE.json [PATH=VALUE ..]   messages on stderr; exit status as xsim's
 *   check_scene --resolved SCENE.json [..]   and the resolved parameters on stdout
 *   check_scene --schema                     the JSON Schema on stdout
 *   check_scene --help-scene [PATH]          the help text on stdout */
#include <stdio.h>
#include <string.h>

#include "io/scene.h"

static int load(int resolved, int n, char **arguments) {
  xs_arena arena = {0};
  static xs_report report;
  xs_world *world = NULL;
  xs_scene_source source;
  if (n < 1) return XS_USAGE;
  const xs_status status = xs_scene_load(arguments[0], n - 1, (const char *const *)&arguments[1],
                                         &arena, &world, &source, &report);
  xs_report_print(&report, stderr, XS_REPORT_AS_TEXT, 0);
  if (status == XS_OK && resolved) fputs(source.resolved, stdout);
  xs_arena_free(&arena);
  return (int)status;
}

int main(int argc, char **argv) {
  if (argc >= 2 && strcmp(argv[1], "--schema") == 0) {
    xs_scene_write_schema(stdout);
    return fflush(stdout) == 0 ? XS_OK : XS_IO;
  }
  if (argc >= 2 && strcmp(argv[1], "--help-scene") == 0)
    return xs_scene_write_help(stdout, argc > 2 ? argv[2] : NULL) ? XS_OK : XS_USAGE;
  if (argc >= 2 && strcmp(argv[1], "--resolved") == 0) return load(1, argc - 2, argv + 2);
  return load(0, argc - 1, argv + 1);
}
