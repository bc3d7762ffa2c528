/* What the files of the result share: the open result and its columns.
 *
 * A column is a recorded field of this world: a series with a row for each record, and where the
 * row of the record to come is copied from. */
#ifndef XS_IO_RESULT_PRIVATE_H
#define XS_IO_RESULT_PRIVATE_H

#include <hdf5.h>

#include "io/result.h"
#include "io/result_fields.h"
#include "io/result_format.h"
#include "io/result_series.h"
#include "io/result_store.h"

enum { XS_RESULT_SLOTS = 2 };

typedef struct xs_result_column {
  const xs_result_field *field;
  xs_result_series series;
  const char *source; /* row_bytes of the record to come */
} xs_result_column;

enum { XS_RESULT_N_FLAT = 6 };

/* Contacts: rows of all instants one behind the other (result_contacts.c). */
typedef struct xs_result_contacts {
  xs_result_series series[XS_RESULT_N_FLAT]; /* path NULL: not recorded */
  int64_t rows;                              /* so far, buffered ones included */
  int buffered;
  int64_t counted; /* rows of the records that are kept */
} xs_result_contacts;

typedef struct xs_result_slot {
  hid_t sequence, step, records, checksum; /* datasets of one int64 */
  hid_t *arrays;                           /* n_persist datasets */
} xs_result_slot;

struct xs_result {
  xs_arena arena;
  xs_result_subject subject;
  const char *path, *partial;
  int fd; /* of the partial; holds the lock */
  xs_result_store *store;
  hid_t file;
  int kept;   /* a checkpoint stands in the partial: it stays, whatever comes */
  int failed; /* writing failed: nothing more is written */
  int n_columns;
  xs_result_column *columns;
  xs_result_contacts contacts;
  xs_result_instant instant;
  int64_t records;        /* recorded, buffered ones included */
  int buffered, capacity; /* records in the buffer */
  double last_flush;      /* s, monotonic clock */
  xs_result_slot slots[XS_RESULT_SLOTS];
  xs_result_packer packer;
  const struct xs_metric_catalog *catalog; /* once a metric was asked for */
  int newest_slot;                         /* of the newest checkpoint, once there is one */
  double *gather;                          /* work space for a persist array */
};

/* result_create.c: groups, datasets and provenance of a new file. */
xs_status xs_result_create_content(xs_result *result, xs_report *report);
/* Names of this run's program and circumstances, into a group. */
herr_t xs_result_create_run_texts(const xs_result *result, hid_t group);

/* result_column.c: the datasets of the fields. */
xs_status xs_result_column_create_all(xs_result *result, xs_report *report);
xs_status xs_result_column_open_all(xs_result *result, xs_report *report);
/* Bytes of memory that the columns of this world take while they are written, about. XS_SCENE where
 * a record is larger than the buffer. */
xs_status xs_result_column_plan(const xs_world *world, double *memory, xs_report *report);
/* The record buffer, one block, and room for packing: when columns and contacts are known. */
xs_status xs_result_column_buffer(xs_result *result, xs_report *report);

/* result_contacts.c: series and buffer; the contacts of the record to come, which sets the
 * instant's first and count; writing out; what the first `records` records count; going back to
 * that in two steps, the first of which only reads. */
xs_status xs_result_contacts_create(xs_result *result, xs_report *report);
xs_status xs_result_contacts_open(xs_result *result, xs_report *report);
herr_t xs_result_contacts_append(xs_result *result);
herr_t xs_result_contacts_write(xs_result *result, int final);
herr_t xs_result_contacts_count(xs_result *result, int64_t records);
herr_t xs_result_contacts_refresh(xs_result *result);
herr_t xs_result_contacts_refill(xs_result *result);
herr_t xs_result_contacts_cut(xs_result *result);

/* result_record.c: writes out all records, flushes, commits. */
xs_status xs_result_record_write_out(xs_result *result, int final, xs_report *report);

/* result_checkpoint.c */
xs_status xs_result_checkpoint_create(xs_result *result, xs_report *report);
/* Opens the slots of an existing file. */
xs_status xs_result_checkpoint_open(xs_result *result, xs_report *report);
/* Loads the newest of the open slots, or if that is damaged the other one; gives its records. */
xs_status xs_result_checkpoint_load(xs_result *result, int64_t *records, xs_report *report);
/* Copies the newest checkpoint into the other slot, too. */
xs_status xs_result_checkpoint_settle(xs_result *result, xs_report *report);

/* result.c: an empty result around a claimed file; and its end without a word. */
xs_status xs_result_prepare(const char *path, const xs_result_subject *subject, xs_result **result,
                            xs_report *report);
void xs_result_release(xs_result *result);
/* Notes that the partial is worth keeping. */
void xs_result_keep(xs_result *result);
/* The name for messages of a failure: that of a file that stays. */
const char *xs_result_name(const xs_result *result);
/* Flushes HDF5 and commits. */
xs_status xs_result_commit(xs_result *result, xs_report *report);
/* Adds an error of HDF5 on this result, or of its store if that failed. */
xs_status xs_result_fail(xs_result *result, const char *what, xs_report *report);

#endif
