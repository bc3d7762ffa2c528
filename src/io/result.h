/* The result file: records, checkpoint, provenance (HDF5, format 1).
 *
 * While a run goes on it writes PATH.partial under a lock and renames it to PATH when it
 * ends in any controlled way; an older PATH survives a run that is killed. Records go
 * through a buffer of fixed size: recording allocates nothing. Texts are fixed-length UTF-8
 * strings filled up with NUL, so that h5py gives bytes (f["provenance/scene"][()].decode());
 * the unit of texts is "1". exit_code is -1 while status is "running". Every HDF5 status is
 * checked, HDF5's own printing is off and its text goes into our messages. Fields are
 * declared once, in result_fields.c. HDF5 appears in src/io/result*.c and metric.c only. */
#ifndef XS_IO_RESULT_H
#define XS_IO_RESULT_H

#include <stdint.h>

#include "io/scene.h"
#include "solver/observe.h"

typedef struct xs_result xs_result;

/* What a result is told of its run besides the scene. */
typedef struct xs_run_info {
  const char *command_line;
  const char *version, *git_commit, *compiler, *libraries; /* one line each */
} xs_run_info;

/* What a result records and keeps; all must live as long as the result. persist lists the
 * arrays of a checkpoint (state's and method's). */
typedef struct xs_result_subject {
  const xs_world *world;
  const xs_scene_source *source;
  const xs_run_info *run;
  xs_state *state;
  const xs_observation *observation;
  int n_persist;
  const xs_persist *persist;
} xs_result_subject;

/* Starts PATH.partial. XS_IO when it cannot be written, when another run holds its lock,
 * or when an unowned .partial stands there and force is 0 (the message names --resume and
 * --force). Nothing at PATH itself is touched. */
xs_status xs_result_create(const char *path, int force, const xs_result_subject *subject,
                           xs_result **result, xs_report *report);

/* Reads the scene stored in a result (complete or partial), for --rerun: the file at path;
 * if there is none, PATH.partial. Overrides are those of the last run that went on with it.
 * For --resume give it the file that xs_result_survey_resumed names. */
xs_status xs_result_read_source(const char *path, xs_arena *arena, xs_scene_source *source,
                                xs_report *report);

/* Reads by which program a result was written (the last one that went on with it) from exactly the
 * file at path, without a command line. */
xs_status xs_result_read_program(const char *path, xs_arena *arena, xs_run_info *info,
                                 xs_report *report);

/* Goes on with a result: PATH.partial if it is there, else a copy of PATH to PATH.partial
 * (PATH stays as it is until the end). path may name either. Loads the last checkpoint into
 * subject->state and the persist arrays (and calls xs_state_loaded), cuts records after it.
 * XS_IO when the file is no result, of a newer format, damaged, without a checkpoint, or of
 * another scene; PATH and PATH.partial are then as before. */
xs_status xs_result_resume(const char *path, const xs_result_subject *subject, xs_result **result,
                           xs_report *report);

/* Adds a record of the observation as it stands: time and step from the state, step_wall =
 * mean wall seconds a step since the record before. Writes the buffer out when it is full
 * or when a second has passed since the last flush (after a flush the file is readable). */
xs_status xs_result_record(xs_result *result, double step_wall, xs_report *report);

/* Writes a checkpoint of the state and flushes. A kill during this leaves the earlier
 * checkpoint valid. */
xs_status xs_result_checkpoint(xs_result *result, xs_report *report);

/* Goes back to the latest checkpoint: loads it into subject->state and the persist arrays (and
 * calls xs_state_loaded), cuts the records after it. */
xs_status xs_result_go_back(xs_result *result, xs_report *report);

/* Writes out and flushes what is buffered. */
xs_status xs_result_flush(xs_result *result, xs_report *report);

/* The same, after which this process can read all of it, as metrics do. */
xs_status xs_result_make_readable(xs_result *result, xs_report *report);

/* Ends the file: status "complete" | "stopped" | "diverged", exit code, a last flush,
 * close, rename to the final path. On failure the .partial stays. Frees result. */
xs_status xs_result_finish(xs_result *result, const char *status, int exit_code, xs_report *report);

/* Closes without renaming, after an XS_IO error: what was written stays readable in the
 * .partial; one without a checkpoint is removed. Frees result. */
void xs_result_abandon(xs_result *result);

/* Versions of the HDF5 in use, "1.10.8". */
const char *xs_result_hdf5_version(void);

#endif
