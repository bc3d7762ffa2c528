/* Leaves out contacts between rods that say what others near them say.
 *
 * Where rods lie along each other, their distance has few local minima, and long stretches between
 * them in which it hardly changes. Contacts at the minima alone let such a stretch sink in, up to
 * 4 % of the diameter within one step: what is pushed apart in one place turns about it. So the
 * search (element_pair.h) also takes minima at ends of parts that run on downhill, which stand at
 * least as close as the parts are long. Of short elements that is far too many.
 *
 * Kept are all minima; then the others, ends that are the lower ones of their part before upper
 * ones, deeper ones first, as long as on both rods no contact is kept within XS_THIN_SPACING
 * diameters of arc. */
#ifndef XS_COLLIDE_THIN_H
#define XS_COLLIDE_THIN_H

#include "constraint/contact.h"

#define XS_THIN_SPACING 0.25

/* What kind of minimum a contact is. */
typedef enum xs_thin_rank {
  XS_THIN_MINIMUM, /* also at the rod's end; all contacts with bodies */
  XS_THIN_LOWER,   /* at the lower end of a part, and the distance falls beyond */
  XS_THIN_UPPER
} xs_thin_rank;

typedef struct xs_thin_entry {
  double gap; /* m */
  xs_thin_rank rank;
  int index;
} xs_thin_entry;

/* Thins a list of n contacts, sorted by their sides' parts, with their ranks; the order stays.
 * Scratch of n each: entry, kept. Returns how many are left. */
int xs_thin(xs_contact *contact, int n, const xs_thin_rank *rank, xs_thin_entry *entry,
            unsigned char *kept);

#endif
