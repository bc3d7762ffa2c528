/* Version, build and libraries in use (about.h). Versions of libraries are those that are
 * loaded now, not those of the headers at the time of building. */
#include "app/about.h"

#include <stdio.h>
#include <string.h>

#include "app/command_line.h"
#include "base/version.h"
#include "io/result_pack.h"
#include "math/blas.h"
#include "solver/method.h"

static char *list_libraries(xs_arena *arena) {
  const char *cjson = xs_json_cjson_version(), *hdf5 = xs_result_hdf5_version();
  const char *zlib = xs_result_pack_version(), *blas = xs_blas_version();
  const size_t size =
      strlen(cjson) + strlen(hdf5) + strlen(zlib) + strlen(blas) + sizeof "cJSON , HDF5 , zlib , ";
  char *text = XS_ARENA_NEW(arena, char, size);
  if (text != NULL) snprintf(text, size, "cJSON %s, HDF5 %s, zlib %s, %s", cjson, hdf5, zlib, blas);
  return text;
}

xs_status xs_about_fill(int argc, char *const *argv, xs_arena *arena, xs_run_info *info,
                        xs_report *report) {
  *info = (xs_run_info){
      .command_line = xs_command_line_join(argc, (const char *const *)argv, arena),
      .version = XS_VERSION,
      .git_commit = xs_version_commit(),
      .compiler = xs_version_compiler(),
      .libraries = list_libraries(arena),
  };
  if (info->command_line == NULL || info->libraries == NULL)
    return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for the run's description");
  return XS_OK;
}

void xs_about_write(const xs_run_info *info, FILE *stream) {
  fprintf(stream, "xsim %s\ncommit     %s\ncompiler   %s\nlibraries  %s\nprocessor  %s code\n",
          info->version, info->git_commit, info->compiler, info->libraries, xs_method_variant());
}
