/* Contacts of a substep: detected, solved at positions, then at velocities.
 *
 * Position level, once an iteration, for each group of contacts with the multipliers l0 that it
 * has so far and its rows at the poses x:
 *   A = G M^-1 G^T + alpha~,   b = -C - alpha~ l0 + A l0   ->   l  (contact_cone.h)
 *   x <- x [+] M^-1 G^T (l - l0), summed over the group and applied once a body.
 * (Applied row by row, a light body that is pinched turns by half a radian and back.) A group is
 * one contact (solve individual), all contacts of two bodies (block), or all that are connected
 * through bodies that can move (global).
 *
 * Of a group only those take part that overlap or carry something or are nearer than gravity moves
 * things in a substep, and those that would overlap by what the others do, to first order: found by
 * solving again with them. An open contact has l = 0, so the answer is the same, and most of what
 * detection lists is open.
 *
 * A large group of bodies is a pile, which is searched otherwise (contact_pile.h), with all of its
 * contacts from the start.
 *
 * Velocity level, once a substep, for contacts that carry something, all that are connected
 * together whatever the solve: impulses J start at lambda/h, and
 *   v_n = e_eff complementary to J_n >= 0,   |J_t| <= mu J_n against v_t
 * This gives restitution, takes away speed that came from correcting an overlap, and makes an
 * oblique impact lose exactly mu (1 + e) v_n along the surface. With c the closing speed and
 * gap0 the gap at x^n, and a the closing acceleration without contacts,
 *   e_eff = 0                                                        if c <= 2 |a| h
 *   e_eff = max(0, e sqrt((c + a h/2)^2 + 2 a max(0, gap0)) + a h/2) else
 * The root is the speed at the surface (velocities stand half a step off, and the surface is
 * gap0 away); with plain e c a bounce loses 3 g h/c of its height. Compliant contacts are springs
 * and have no velocity level.
 *
 * What touches an island of joints and rods that is solved by its own factor (global.h) is solved
 * together with it (contacts_islands.h): for the island's rows r, with H = G_r M^-1 G^T,
 *   A = G M^-1 G^T - H^T S_r^-1 H,   y = S_r^-1 H (l - l0),
 *   lambda_r -= y,   x moves by M^-1 (G^T (l - l0) - G_r^T y),
 * so that closing contacts opens no joint. Contacts of one island are connected through it. A
 * joint's stop that would have to pull is let go, and the group solved again. (A stop that
 * contacts drive a joint into is met by the next iteration, or substep.) */
#ifndef XS_SOLVER_CONTACTS_H
#define XS_SOLVER_CONTACTS_H

#include "collide/collide.h"
#include "solver/contact_cone.h"
#include "solver/contact_pile.h"
#include "solver/contacts_islands.h"
#include "solver/system.h"

/* Groups of contacts: those of group g are order[first[g]] .. order[first[g + 1] - 1]. */
typedef struct xs_contact_groups {
  int n;
  int *first, *order;
} xs_contact_groups;

struct xs_contacts {
  const xs_world *world;
  xs_arena *arena;
  xs_collide *collide;
  int n, capacity;
  int grown; /* detection needed more room in this step than there was; to be said after it */
  xs_contact *contact; /* n of the list */
  xs_row_block *block; /* their rows: 3 each, first_row = 3 i */
  double *lambda;      /* 3 n: XPBD units */
  double *impulse;     /* 3 n: N s of the whole substep, after the velocity pass */
  double *bounce;      /* n: e_eff, m/s */
  double alpha[XS_CONTACT_ROWS];

  /* At the start of the substep, and predicted (only with detect_every_iteration) */
  xs_pose *x_n, *x_tilde;
  xs_vec3 *v_n, *omega_n;

  double *C;  /* 3 n */
  size_t *at; /* n + 1: where the gradients of a contact begin in G */
  double *G;
  size_t G_capacity;

  /* Contacts of each node that can move: incident[first_incident[node]] .. */
  int *first_incident, *incident, *incident_slot;
  /* Islands of joints and rods; global NULL: none. */
  xs_contacts_islands islands;
  double *late; /* by row: what joints and rods did in the substep, velocity pass included, N s */
  int n_rows;
  xs_contact_groups groups, connected;             /* of the solve; through moving bodies */
  int *seat, *mark, *active, *touched, *node_mark; /* work space */
  unsigned char *takes_part;                       /* n: in the solve of its group */

  /* The problem of a group */
  int *cone_first, *cone_column;
  size_t block_capacity;
  double *cone_A, *cone_normal, *cone_b, *cone_l, *cone_start, *cone_mu, *cone_mu_s;
  double *friction, *static_friction; /* n */
  xs_contact_cone_work work;
  xs_contact_pile pile;

  /* Of the whole run */
  long long n_solved;      /* groups, at positions and at velocities */
  long long n_unconverged; /* of them those whose search ended at its last sweep */
  double deepest;          /* m, >= 0: largest overlap after a substep */
  double deepest_time;     /* s */
};

/* Bytes of memory that contacts take, for each that there is at once, up to about; groups of
 * hundreds with friction take more. NAN without memory for finding out. */
double xs_contacts_bytes(void);

/* For a world with contact.enabled; NULL else. Warns of overlaps at the start (state: t = 0). */
xs_status xs_contacts_create(const xs_world *world, const xs_state *state, xs_arena *arena,
                             xs_contacts **contacts, xs_report *report);

/* Says which islands there are; before the first step. */
xs_status xs_contacts_join(xs_contacts *contacts, xs_global *global, int n_rows, xs_report *report);

/* Keeps poses and velocities of the start of a substep, before anything is moved. */
void xs_contacts_begin(xs_contacts *contacts, const xs_state *state);

/* Finds the contacts at the poses x = x~ and clears their multipliers. h: substep, s. */
xs_status xs_contacts_detect(xs_contacts *contacts, const xs_pose *x, double h, xs_report *report);

/* Finds them anew in the middle of the iterations. Contacts that go on keep their multipliers;
 * what those have done that are gone is taken back (x and system->dp move), to be followed by
 * an iteration, in which joints and rods answer. */
xs_status xs_contacts_detect_again(xs_contacts *contacts, xs_system *system, xs_pose *x,
                                   xs_report *report);

/* One iteration at position level: moves x, system->dp and lambda. */
void xs_contacts_solve(xs_contacts *contacts, xs_system *system, xs_pose *x);

/* The velocity pass, at the poses and velocities of the state; t: time, s. */
void xs_contacts_velocity(xs_contacts *contacts, xs_system *system, xs_state *state, double t);

/* Enlarges buffers that are more than half full, between steps, and says so; also where a step
 * needed more at once than there was. */
xs_status xs_contacts_make_room(xs_contacts *contacts, double t, xs_report *report);

/* sum[6 n_nodes] += sign G(x)^T lambda, for nodes that can move. */
void xs_contacts_gather(const xs_contacts *contacts, const xs_pose *x, double sign, double *sum);

/* Forgets the multipliers of this substep. */
void xs_contacts_clear(xs_contacts *contacts);

/* Energy in compliant contacts at the poses x, J. */
double xs_contacts_energy(const xs_contacts *contacts, const xs_pose *x);

/* Squared norm of C + alpha~ lambda over what is active: normals that push or are violated,
 * tangents that stick. h = 0: no compliance. */
double xs_contacts_residual2(const xs_contacts *contacts, const xs_pose *x, double h);

#endif
