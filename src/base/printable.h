/* Texts from outside (names, paths) on their way to a terminal.
 *
 * Control characters, of C0, DEL and C1, and bytes that are no UTF-8 become \xNN, so that no
 * scene and no file name can drive the terminal; all else stays as it is. Left out: widths,
 * directions and lookalikes of characters. */
#ifndef XS_BASE_PRINTABLE_H
#define XS_BASE_PRINTABLE_H

#include <stddef.h>

/* Bytes with the terminating 0 that are enough for names and paths; longer ones are cut. */
enum { XS_PRINTABLE_NAME = 128, XS_PRINTABLE_PATH = 512 };

/* Writes text (NULL: "") into buffer of size > 4 bytes, cut with "..." where it does not fit, at
 * the end of a character. Returns buffer. */
const char *xs_printable_text(const char *text, char *buffer, size_t size);

/* The next character: its printable form into form. Returns the bytes of text it stands for. */
int xs_printable_next(const char *text, size_t left, char form[20]);

#endif
