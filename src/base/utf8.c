/* Decoding of one UTF-8 character, strict as RFC 3629 has it.
 *
 *   0xxxxxxx                              U+0000  .. U+007F
 *   110xxxxx 10xxxxxx                     U+0080  .. U+07FF
 *   1110xxxx 10xxxxxx 10xxxxxx            U+0800  .. U+FFFF without D800 .. DFFF
 *   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx   U+10000 .. U+10FFFF
 *
 * Left out: encoding, normal forms, widths on a terminal. */
#include "base/utf8.h"

int xs_utf8_decode(const char *text, size_t n, uint32_t *code) {
  static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (n == 0) return 0;

  /* The first byte tells the length and holds the leading bits. */
  const unsigned char *byte = (const unsigned char *)text;
  uint32_t c = byte[0];
  int length = c < 0x80 ? 1 : c < 0xC0 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : 0;
  if (length == 0 || (size_t)length > n) return 0;
  if (length > 1) c &= 0x7Fu >> length;

  /* Each further byte adds six bits. */
  for (int i = 1; i < length; i++) {
    if ((byte[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (byte[i] & 0x3Fu);
  }

  /* One form only for each character, and characters only. */
  if (c < smallest[length] || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) return 0;
  if (code) *code = c;
  return length;
}
