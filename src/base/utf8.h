/* UTF-8: the one question the program asks of it, whether bytes form a character. */
#ifndef XS_BASE_UTF8_H
#define XS_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes (1 to 4) of the character at the start of text, of which n bytes may be read;
 * 0 if they are no valid character: cut short, overlong, a surrogate, past U+10FFFF
 * (RFC 3629), or n = 0. *code, if not NULL, receives the code point. */
int xs_utf8_decode(const char *text, size_t n, uint32_t *code);

#endif
