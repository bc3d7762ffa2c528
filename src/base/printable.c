/* Printable forms, character by character (printable.h). */
#include "base/printable.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

int xs_printable_next(const char *text, size_t left, char form[20]) {
  uint32_t code = 0;
  const int length = xs_utf8_decode(text, left, &code);
  const int is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const int bytes = length > 0 ? length : 1;
  if (length > 0 && !is_control) {
    memcpy(form, text, (size_t)bytes);
    form[bytes] = '\0';
    return bytes;
  }
  for (int i = 0; i < bytes; i++) snprintf(form + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
  return bytes;
}

const char *xs_printable_text(const char *text, char *buffer, size_t size) {
  static const char dots[] = "...";
  char form[20];
  size_t used = 0, cut = 0; /* cut: where the dots still fit */
  assert(size > sizeof dots);

  for (size_t left = text ? strlen(text) : 0; left > 0;) {
    const int taken = xs_printable_next(text, left, form);
    const size_t length = strlen(form);
    if (used + length >= size) {
      memcpy(buffer + cut, dots, sizeof dots);
      return buffer;
    }
    memcpy(buffer + used, form, length);
    used += length;
    if (used + sizeof dots <= size) cut = used;
    text += taken;
    left -= (size_t)taken;
  }
  buffer[used] = '\0';
  return buffer;
}
