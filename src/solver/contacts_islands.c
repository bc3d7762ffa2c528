/* The Schur complement of contacts over islands of joints and rods (contacts_islands.h). */
#include "solver/contacts_islands.h"

#include <assert.h>
#include <string.h>

#include "solver/contacts.h"

enum { LANES = XS_BAND_LANES };

/* ---- Buffers ---- */

int xs_contacts_islands_create(xs_contacts_islands *s, xs_global *global, xs_arena *arena) {
  const int n = xs_global_n_islands(global);
  int rows = 0;
  s->island = XS_ARENA_NEW(arena, xs_contacts_island, n);
  s->of_contact = XS_ARENA_NEW(arena, int, n);
  s->first_contact = XS_ARENA_NEW(arena, int, n + 2);
  if (!s->island || !s->of_contact || !s->first_contact) return 0;
  for (int i = 0; i < n; i++) {
    s->island[i].y = rows;
    rows += xs_global_island_rows(global, i);
  }
  s->y = XS_ARENA_NEW(arena, double, rows);
  s->global = global;
  return s->y != NULL;
}

int xs_contacts_islands_fit(xs_contacts_islands *s, int capacity, xs_arena *arena) {
  s->contact = XS_ARENA_NEW(arena, int, XS_CONTACT_ISLANDS *(size_t)capacity);
  s->coupling = XS_ARENA_NEW(arena, xs_contact_coupling, XS_CONTACT_ISLANDS * (size_t)capacity);
  s->lanes = XS_ARENA_NEW(arena, double, XS_CONTACT_ROWS *(size_t)capacity + LANES);
  return s->contact && s->coupling && s->lanes;
}

/* Rows of a contact that can carry something. */
static int n_rows_of(const xs_contacts *c, int contact) {
  return c->static_friction[contact] > 0 ? XS_CONTACT_ROWS : 1;
}

static int n_panels_of(const xs_contacts_island *island) {
  return (island->n_lanes + LANES - 1) / LANES;
}

/* Places of a group's islands, those listed, by their numbers of lanes; the rooms that they take.
 */
static void place(xs_contacts_islands *s, size_t room[3]) {
  room[0] = room[1] = room[2] = 0;
  for (int k = 0; k < s->n_listed; k++) {
    xs_contacts_island *island = &s->island[s->of_contact[k]];
    const size_t rows = (size_t)xs_global_island_rows(s->global, s->of_contact[k]);
    const size_t panels = (size_t)n_panels_of(island);
    island->panels = room[0];
    island->first = room[1];
    island->inner = room[2];
    room[0] += panels * LANES * rows;
    room[1] += panels;
    room[2] += panels * panels * LANES * LANES;
  }
}

/* Gives the rows of a contact lanes; lists islands that were not. */
static void seat(xs_contacts *c, int contact) {
  xs_contacts_islands *s = &c->islands;
  for (int side = 0; side < XS_CONTACT_ISLANDS; side++) {
    xs_contact_coupling *coupling = &s->coupling[XS_CONTACT_ISLANDS * contact + side];
    if (coupling->island < 0) continue;
    xs_contacts_island *island = &s->island[coupling->island];
    if (island->n_lanes == 0) s->of_contact[s->n_listed++] = coupling->island;
    coupling->lane = island->n_lanes;
    island->n_lanes += n_rows_of(c, contact);
  }
}

static void unlist(xs_contacts_islands *s) {
  for (int k = 0; k < s->n_listed; k++) s->island[s->of_contact[k]].n_lanes = 0;
  s->n_listed = 0;
}

static int enlarge(xs_contacts *c, const size_t room[3]) {
  xs_contacts_islands *s = &c->islands;
  if (room[0] > s->Z_capacity) {
    s->Z_capacity = 2 * room[0];
    s->Z = XS_ARENA_NEW(c->arena, double, s->Z_capacity);
  }
  if (room[1] > s->first_capacity) {
    s->first_capacity = 2 * room[1];
    s->first = XS_ARENA_NEW(c->arena, int, s->first_capacity);
  }
  if (room[2] > s->inner_capacity) {
    s->inner_capacity = 2 * room[2];
    s->inner = XS_ARENA_NEW(c->arena, double, s->inner_capacity);
  }
  return room[0] == 0 || (s->Z && s->first && s->inner);
}

int xs_contacts_islands_find(xs_contacts *c) {
  xs_contacts_islands *s = &c->islands;
  int *first = s->first_contact;
  const int n_islands = xs_global_n_islands(s->global);
  memset(first, 0, ((size_t)n_islands + 2) * sizeof *first);
  for (int i = 0; i < c->n; i++) {
    xs_contact_coupling *coupling = s->coupling + XS_CONTACT_ISLANDS * i;
    coupling[0].island = coupling[1].island = -1;
    for (int k = 0, n = 0; k < c->block[i].n_nodes; k++) {
      const int island = xs_global_island_of(s->global, c->block[i].node[k]);
      if (island < 0 || island == coupling[0].island || (n > 1 && island == coupling[1].island))
        continue;
      assert(n < XS_CONTACT_ISLANDS);
      coupling[n++].island = island;
      first[island + 2]++;
    }
  }
  for (int i = 0; i < n_islands; i++) first[i + 2] += first[i + 1];
  for (int i = 0; i < c->n; i++)
    for (int side = 0; side < XS_CONTACT_ISLANDS; side++) {
      const int island = s->coupling[XS_CONTACT_ISLANDS * i + side].island;
      if (island >= 0) s->contact[first[island + 1]++] = i;
    }
  /* No group takes more than all of them together. */
  size_t room[3];
  unlist(s);
  for (int i = 0; i < c->n; i++) seat(c, i);
  place(s, room);
  unlist(s);
  return enlarge(c, room);
}

/* ---- A group ---- */

/* Z and Z^T D^-1 Z of an island, with H in Z. */
static void reduce(xs_contacts_islands *s, int i) {
  const xs_contacts_island *island = &s->island[i];
  const int n_panels = n_panels_of(island), *first = s->first + island->first;
  const size_t size = (size_t)LANES * (size_t)xs_global_island_rows(s->global, i);
  double *Z = s->Z + island->panels;
  for (int p = 0; p < n_panels; p++) {
    xs_global_forward(s->global, i, first[p], Z + (size_t)p * size);
    for (int q = 0; q <= p; q++)
      xs_global_inner(s->global, i, first[p] > first[q] ? first[p] : first[q], Z + (size_t)p * size,
                      Z + (size_t)q * size,
                      s->inner + island->inner + (size_t)(p * n_panels + q) * LANES * LANES);
  }
}

void xs_contacts_islands_couple(xs_contacts *c, const int *member, int n) {
  xs_contacts_islands *s = &c->islands;
  size_t room[3];
  unlist(s);
  for (int i = 0; i < n; i++) seat(c, member[i]);
  place(s, room);
  if (room[0] > 0) memset(s->Z, 0, room[0] * sizeof *s->Z); /* else Z may never have been made */
  for (int k = 0; k < s->n_listed; k++) {
    const xs_contacts_island *island = &s->island[s->of_contact[k]];
    for (int p = 0; p < n_panels_of(island); p++)
      s->first[island->first + (size_t)p] = xs_global_island_rows(s->global, s->of_contact[k]);
  }
  for (int i = 0; i < n; i++)
    for (int side = 0; side < XS_CONTACT_ISLANDS; side++) {
      const xs_contact_coupling *coupling = &s->coupling[XS_CONTACT_ISLANDS * member[i] + side];
      if (coupling->island < 0) continue;
      const xs_contacts_island *island = &s->island[coupling->island];
      const int rows = n_rows_of(c, member[i]);
      const int begin =
          xs_global_couple(s->global, coupling->island, &c->block[member[i]],
                           c->G + c->at[member[i]], rows, coupling->lane, s->Z + island->panels);
      for (int p = coupling->lane / LANES; p <= (coupling->lane + rows - 1) / LANES; p++)
        if (begin < s->first[island->first + (size_t)p])
          s->first[island->first + (size_t)p] = begin;
    }
  for (int k = 0; k < s->n_listed; k++) reduce(s, s->of_contact[k]);
}

/* The lane at which a contact's rows begin in an island that it touches. */
static int lane_of(const xs_contacts_islands *s, int contact, int island) {
  const xs_contact_coupling *coupling = s->coupling + XS_CONTACT_ISLANDS * contact;
  const int side = coupling[0].island == island ? 0 : 1;
  assert(coupling[side].island == island);
  return coupling[side].lane;
}

void xs_contacts_islands_take_off(const xs_contacts *c, int i, int one, int other, double *target) {
  const xs_contacts_islands *s = &c->islands;
  const xs_contacts_island *island = &s->island[i];
  const int n_panels = n_panels_of(island);
  const int row = lane_of(s, one, i);
  const int column = lane_of(s, other, i);
  for (int a = 0; a < n_rows_of(c, one); a++)
    for (int b = 0; b < n_rows_of(c, other); b++) {
      const int large = row + a > column + b ? row + a : column + b;
      const int small = row + a > column + b ? column + b : row + a;
      const double *inner = s->inner + island->inner +
                            (size_t)(large / LANES * n_panels + small / LANES) * LANES * LANES;
      target[3 * a + b] -= inner[large % LANES * LANES + small % LANES];
    }
}

void xs_contacts_islands_answer(xs_contacts *c, const double *dl) {
  xs_contacts_islands *s = &c->islands;
  for (int k = 0; k < s->n_listed; k++) {
    const int i = s->of_contact[k], rows = xs_global_island_rows(s->global, i);
    const xs_contacts_island *island = &s->island[i];
    double *y = s->y + island->y;
    memset(s->lanes, 0, (size_t)(n_panels_of(island) * LANES) * sizeof *s->lanes);
    for (int p = s->first_contact[i]; p < s->first_contact[i + 1]; p++) {
      const int contact = s->contact[p], j = c->seat[contact];
      if (j < 0) continue;
      const int lane = lane_of(s, contact, i);
      for (int r = 0; r < n_rows_of(c, contact); r++) s->lanes[lane + r] = dl[3 * j + r];
    }
    memset(y, 0, (size_t)rows * sizeof *y);
    for (int p = 0; p < n_panels_of(island); p++)
      xs_global_combine(s->global, i, s->first[island->first + (size_t)p],
                        s->Z + island->panels + (size_t)p * LANES * (size_t)rows,
                        s->lanes + (size_t)p * LANES, y);
    xs_global_backward(s->global, i, y);
  }
}
