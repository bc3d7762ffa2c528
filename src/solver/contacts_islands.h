/* Contacts and the islands of joints and rods that they touch: the Schur complement (contacts.h).
 *
 * For a group of contacts at a time: the rows of its contacts that can carry something (friction or
 * not) have a lane each in the panels of every island that they touch (math/band_lanes.h):
 *   Z = L^-1 G_r M^-1 G^T,   A -= Z^T D^-1 Z,   y = L^-T D^-1 Z (l - l0).
 * Islands are numbered as in global.h. */
#ifndef XS_SOLVER_CONTACTS_ISLANDS_H
#define XS_SOLVER_CONTACTS_ISLANDS_H

#include "base/arena.h"
#include "solver/global.h"

/* What a contact has to do with an island. */
typedef struct xs_contact_coupling {
  int island; /* -1: none */
  int lane;   /* of its first row, in its group */
} xs_contact_coupling;

/* One a side: a body is one node, and all nodes of an element that can move are in the island of
 * the element's block. */
enum { XS_CONTACT_ISLANDS = 2 };

/* What a group of contacts has in one island. */
typedef struct xs_contacts_island {
  int n_lanes;
  int y;         /* where its answer begins in xs_contacts_islands.y */
  size_t panels; /* where its panels begin in Z, */
  size_t first;  /* their first rows, one a panel, */
  size_t inner;  /* and Z^T D^-1 Z, of all its lanes, rounded up to panels */
} xs_contacts_island;

typedef struct xs_contacts_islands {
  xs_global *global;
  xs_contacts_island *island; /* all of them */
  int *of_contact, n_listed;  /* those that the group touches */
  /* Contacts of each, whatever the group: contact[first_contact[island]] .. */
  int *first_contact, *contact;
  xs_contact_coupling *coupling; /* XS_CONTACT_ISLANDS a contact */
  double *y;                     /* all rows of all islands, island by island */
  size_t Z_capacity, first_capacity, inner_capacity;
  double *Z, *inner, *lanes;
  int *first;
} xs_contacts_islands;

typedef struct xs_contacts xs_contacts;

/* Before the first step. 0 without memory. */
int xs_contacts_islands_create(xs_contacts_islands *islands, xs_global *global, xs_arena *arena);

/* Room for as many contacts. 0 without memory. */
int xs_contacts_islands_fit(xs_contacts_islands *islands, int capacity, xs_arena *arena);

/* Finds the islands of all contacts of a list, and their room. 0 without memory. */
int xs_contacts_islands_find(xs_contacts *contacts);

/* Lists the islands that members of a group touch, gives their rows lanes, and fills Z and
 * Z^T D^-1 Z, with the contacts' gradients at hand. */
void xs_contacts_islands_couple(xs_contacts *contacts, const int *member, int n);

/* target (3 x 3 by rows) -= what the answer of an island takes off between two contacts' rows. */
void xs_contacts_islands_take_off(const xs_contacts *contacts, int island, int one, int other,
                                  double *target);

/* The answer y of each listed island to dl (3 a contact, by its seat in the group), into its place
 * in islands->y. */
void xs_contacts_islands_answer(xs_contacts *contacts, const double *dl);

#endif
