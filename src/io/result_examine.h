/* Whether all of a result can be read as far as it is told without its records: every object can be
 * opened, with its attributes, its shape and type, and the filters that its numbers went through;
 * and what was written as a whole, texts, names, arc lengths, has the checksum that it got. Each
 * object has one name, and its numbers stand in this file, as they are. A run that goes on with a
 * result looks at few of its objects; damage to the others would stand in what it then calls
 * complete. */
#ifndef XS_IO_RESULT_EXAMINE_H
#define XS_IO_RESULT_EXAMINE_H

#include <hdf5.h>

#include "base/report.h"

/* 1 if an object's header can be read, its attributes and their values' types included. */
int xs_result_examine_header(hid_t object);

/* XS_IO with the object that cannot be read, of a file that is open; path is for the message. */
xs_status xs_result_examine(hid_t file, const char *path, xs_report *report);

#endif
