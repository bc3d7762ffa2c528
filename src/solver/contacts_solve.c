/* The solve of contacts by groups, at positions and at velocities (equations: contacts.h). */
#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/contacts.h"

/* ---- The matrix of a group ---- */

/* target (3 x 3 by rows) += G_i,ki M^-1 G_j,kj^T for the node that both have. */
static void add_product(const xs_inertia *inertia, const double *Gi, const double *Gj,
                        double *target) {
  const double w[6] = {inertia->inv_mass,     inertia->inv_mass,     inertia->inv_mass,
                       inertia->inv_moment.x, inertia->inv_moment.y, inertia->inv_moment.z};
  for (int c = 0; c < 6; c++)
    for (int r = 0; r < 3; r++) {
      const double wg = w[c] * Gi[3 * c + r];
      for (int s = 0; s < 3; s++) target[3 * r + s] += wg * Gj[3 * c + s];
    }
}

/* The block of contact j in the row that began at block `begin` and has come to *end. */
static double *block_at(xs_contacts *c, int j, int begin, int *end) {
  if (c->mark[j] < begin || c->mark[j] >= *end || c->cone_column[c->mark[j]] != c->seat[j]) {
    c->mark[j] = *end;
    c->cone_column[*end] = c->seat[j];
    memset(c->cone_A + 9 * (size_t)(*end)++, 0, 9 * sizeof(double));
  }
  return c->cone_A + 9 * (size_t)c->mark[j];
}

/* Block row i of the group into the matrix from block `end` on: the diagonal first, then what
 * shares a node, as met. seat[j]: place of contact j in the group, -1 outside. Returns the end. */
static int assemble_row(xs_contacts *c, int contact, int end) {
  const xs_row_block *block = &c->block[contact];
  const int begin = end;
  (void)block_at(c, contact, begin, &end);
  for (int k = 0; k < block->n_nodes; k++) {
    const int node = block->node[k];
    const xs_inertia *inertia = &c->world->inertia[node];
    if (inertia->inv_mass == 0) continue;
    for (int p = c->first_incident[node]; p < c->first_incident[node + 1]; p++) {
      const int j = c->incident[p];
      if (c->seat[j] < 0) continue;
      add_product(inertia, c->G + c->at[contact] + 18 * k,
                  c->G + c->at[j] + 18 * c->incident_slot[p], block_at(c, j, begin, &end));
    }
  }
  const xs_contacts_islands *islands = &c->islands;
  for (int s = 0; s < XS_CONTACT_ISLANDS && islands->global; s++) {
    const int i = islands->coupling[XS_CONTACT_ISLANDS * contact + s].island;
    if (i < 0) continue;
    for (int p = islands->first_contact[i]; p < islands->first_contact[i + 1]; p++) {
      const int j = islands->contact[p];
      if (c->seat[j] >= 0)
        xs_contacts_islands_take_off(c, i, contact, j, block_at(c, j, begin, &end));
    }
  }
  return end;
}

/* Evaluates the members' rows at x. */
static void evaluate(xs_contacts *c, const int *member, int n, const xs_pose *x) {
  for (int i = 0; i < n; i++) {
    const int contact = member[i];
    const xs_row_block *block = &c->block[contact];
    block->kind->evaluate(block, x, 0, XS_CONTACT_ROWS, c->C + 3 * contact, c->G + c->at[contact]);
    c->seat[contact] = i;
    c->cone_mu[i] = c->friction[contact];
    c->cone_mu_s[i] = c->static_friction[contact];
  }
}

/* Fills the matrix. */
static void assemble(xs_contacts *c, const int *member, int n, double alpha_tilde) {
  if (c->islands.global) xs_contacts_islands_couple(c, member, n);
  for (int i = 0, end = 0; i < n; i++) {
    c->cone_first[i] = end;
    end = assemble_row(c, member[i], end);
    c->cone_first[i + 1] = end;
    c->cone_A[9 * (size_t)c->cone_first[i]] += alpha_tilde;
  }
}

/* b += A l for the members' l in cone_l. */
static void add_image(xs_contacts *c, int n) {
  for (int i = 0; i < n; i++)
    for (int k = c->cone_first[i]; k < c->cone_first[i + 1]; k++) {
      const double *A = c->cone_A + 9 * (size_t)k, *l = c->cone_l + 3 * c->cone_column[k];
      for (int r = 0; r < 3; r++)
        c->cone_b[3 * i + r] += A[3 * r] * l[0] + A[3 * r + 1] * l[1] + A[3 * r + 2] * l[2];
    }
}

/* What Newton's steps do not solve among so many contacts is done anew as a pile: what they leave
 * may be far off. */
enum { MANY = 32 };

/* Whether a contact is one of bodies that no island answers for. */
static int is_plain(const xs_contacts *c, int contact) {
  if (c->block[contact].n_nodes > 2) return 0;
  for (int s = 0; s < XS_CONTACT_ISLANDS && c->islands.global; s++)
    if (c->islands.coupling[XS_CONTACT_ISLANDS * contact + s].island >= 0) return 0;
  return 1;
}

static int are_plain(const xs_contacts *c, const int *member, int n) {
  for (int i = 0; i < n; i++)
    if (!is_plain(c, member[i])) return 0;
  return 1;
}

/* The group as a pile, with its rows in -cone_b and l0 in cone_l. */
static void heap_up(xs_contacts *c, const int *member, int n, double alpha_tilde) {
  xs_contact_pile_begin(&c->pile, alpha_tilde);
  for (int i = 0; i < n; i++) {
    const xs_row_block *block = &c->block[member[i]];
    const double *b = c->cone_b + 3 * i, r[3] = {-b[0], -b[1], -b[2]};
    xs_contact_pile_add(&c->pile, block->n_nodes, block->node, c->G + c->at[member[i]],
                        c->world->inertia, r, c->cone_l[3 * i], c->cone_mu_s[i], c->cone_mu[i]);
  }
}

/* What the energy rises by, times h^2, if a part of the pile's answer is done to the poses x
 * (contact_pile.h). C_n: rows at x^n. */
static double rise(const xs_contacts *c, const xs_system *system, const xs_pose *x, double part,
                   const double *C_n) {
  const xs_contact_pile *pile = &c->pile;
  double taken = 0;
  for (int body = 1; body < pile->n_bodies; body++) {
    const int node = pile->node[body];
    const xs_inertia *inertia = &c->world->inertia[node];
    const double *w = pile->w + 6 * body, by = part * sqrt(inertia->inv_mass);
    const xs_vec3 start = xs_vec3_add_scaled(c->x_n[node].p, system->h, c->v_n[node]);
    const xs_vec3 turn = xs_so3_minus(x[node].q, c->x_n[node].q),
                  root = {sqrt(inertia->inv_moment.x), sqrt(inertia->inv_moment.y),
                          sqrt(inertia->inv_moment.z)};
    const xs_vec3 d =
        xs_vec3_add_scaled(xs_vec3_sub(x[node].p, start), by, (xs_vec3){w[0], w[1], w[2]});
    const xs_vec3 theta = xs_vec3_add_scaled(xs_vec3_add_scaled(turn, -system->h, c->omega_n[node]),
                                             part, xs_vec3_mul(root, (xs_vec3){w[3], w[4], w[5]}));
    taken += 0.5 * inertia->mass * xs_vec3_norm2(d) +
             0.5 * xs_vec3_dot(theta, xs_vec3_mul(inertia->moment, theta));
  }
  return xs_contact_pile_work(pile, c->cone_start, c->cone_l, part, C_n) - taken;
}

/* The part of l - l0, from cone_start to cone_l, that does not raise the energy: the rise is a
 * quadratic function of it. */
static double harmless_part(const xs_contacts *c, const xs_system *system, const xs_pose *x,
                            const double *C_n) {
  const double whole = rise(c, system, x, 1, C_n);
  if (!(whole > 0)) return 1;
  const double none = rise(c, system, x, 0, C_n), half = rise(c, system, x, 0.5, C_n);
  if (!(none < 0)) return 1;
  const double p2 = 2 * (whole - 2 * half + none), p1 = whole - none - p2;
  const double root = sqrt(fmax(0, p1 * p1 - 4 * p2 * none));
  /* of p2 s^2 + p1 s + none = 0 the first one above 0; there is one, as the sign changes */
  const double part = p1 + root > 0 ? -2 * none / (p1 + root) : 1;
  return part > 0 && part < 1 ? part : 1;
}

/* Solves the pile; of positions (x not NULL), without raising the energy. */
static int solve_pile(xs_contacts *c, const xs_system *system, const xs_pose *x, const int *member,
                      int n) {
  memcpy(c->cone_start, c->cone_l, 3 * (size_t)n * sizeof *c->cone_l);
  const int solved = xs_contact_pile_solve(&c->pile, c->cone_l);
  if (!x || c->alpha[0] > 0) return solved;
  double *C_n = c->cone_b; /* whose values the pile has taken over */
  for (int i = 0; i < n; i++) {
    const xs_row_block *block = &c->block[member[i]];
    double G[XS_CONTACT_ROWS * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, c->x_n, 0, XS_CONTACT_ROWS, C_n + 3 * i, G);
  }
  const double part = harmless_part(c, system, x, C_n);
  if (part == 1) return solved;
  for (int f = 0; f < 3 * n; f++)
    c->cone_l[f] = c->cone_start[f] + part * (c->cone_l[f] - c->cone_start[f]);
  return 0;
}

/* The members' l, from that in cone_l, with -(A l - b) there in cone_b. Their rows are evaluated.
 */
static void search(xs_contacts *c, const xs_system *system, const xs_pose *x, const int *member,
                   int n, double alpha_tilde) {
  const int plain = n >= MANY && are_plain(c, member, n);
  c->n_solved++;
  if (plain) heap_up(c, member, n, alpha_tilde);
  int solved = 0, piled = plain && xs_contact_pile_is_wide(&c->pile);
  if (!piled) {
    assemble(c, member, n, alpha_tilde);
    add_image(c, n);
    const xs_contact_cone cone = {.n = n,
                                  .first = c->cone_first,
                                  .column = c->cone_column,
                                  .A = c->cone_A,
                                  .normal = c->cone_normal,
                                  .b = c->cone_b,
                                  .friction = c->cone_mu,
                                  .static_friction = c->cone_mu_s};
    if (plain) memcpy(c->cone_start, c->cone_l, 3 * (size_t)n * sizeof *c->cone_l);
    solved = xs_contact_cone_solve(&cone, c->cone_l, &c->work);
    piled = plain && !solved;
    if (piled) memcpy(c->cone_l, c->cone_start, 3 * (size_t)n * sizeof *c->cone_l);
  }
  if (piled) solved = solve_pile(c, system, x, member, n);
  if (!solved) c->n_unconverged++;
}

/* Lists a node, with no impulse yet. Returns how many are listed. */
static int touch(xs_contacts *c, int node, int n_touched, double *momentum) {
  if (c->node_mark[node]) return n_touched;
  c->node_mark[node] = 1;
  c->touched[n_touched] = node;
  memset(momentum + 6 * node, 0, 6 * sizeof *momentum);
  return n_touched + 1;
}

/* l - l0 of the members into cone_b. */
static void subtract(xs_contacts *c, const int *member, int n, const double *l0) {
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++) c->cone_b[3 * i + r] = c->cone_l[3 * i + r] - l0[3 * member[i] + r];
}

static int touch_island(xs_contacts *c, int island, int n_touched, double *momentum) {
  const int *node, n_nodes = xs_global_island_nodes(c->islands.global, island, &node);
  for (int k = 0; k < n_nodes; k++) n_touched = touch(c, node[k], n_touched, momentum);
  return n_touched;
}

static void unmark(xs_contacts *c, int n_touched) {
  for (int k = 0; k < n_touched; k++) c->node_mark[c->touched[k]] = 0;
}

/* The answers of islands to l - l0, which is put into cone_b. Stops that they would make pull: one
 * in each island is let go. Returns how many nodes have to move for that by momentum, listed in
 * c->touched; if any, the group is to be solved again. */
static int answer(xs_contacts *c, const int *member, int n, const double *l0, double *momentum,
                  double *lambda) {
  const xs_contacts_islands *islands = &c->islands;
  int n_touched = 0;
  subtract(c, member, n, l0);
  if (!islands->global) return 0;
  xs_contacts_islands_answer(c, c->cone_b);
  for (int k = 0; k < islands->n_listed; k++) {
    const int i = islands->of_contact[k];
    if (!xs_global_has_stops(islands->global, i)) continue;
    const int block =
        xs_global_pulled(islands->global, i, islands->y + islands->island[i].y, lambda);
    if (block < 0) continue;
    n_touched = touch_island(c, i, n_touched, momentum);
    xs_global_let_go(islands->global, i, block, momentum, lambda);
  }
  unmark(c, n_touched);
  return n_touched;
}

/* G^T (l - l0) of the members and of what islands answer into momentum, with l - l0 in cone_b.
 * Returns how many nodes that can move are touched, listed in c->touched and marked. */
static int collect(xs_contacts *c, const int *member, int n, double *momentum) {
  const xs_contacts_islands *islands = &c->islands;
  int n_touched = 0;
  for (int i = 0; i < n; i++) {
    const xs_row_block *block = &c->block[member[i]];
    const double *d = c->cone_b + 3 * i;
    for (int k = 0; k < block->n_nodes; k++) {
      const int node = block->node[k];
      if (c->world->inertia[node].inv_mass == 0) continue;
      n_touched = touch(c, node, n_touched, momentum);
      const double *G = c->G + c->at[member[i]] + 18 * k;
      for (int col = 0; col < 6; col++)
        momentum[6 * node + col] +=
            G[3 * col] * d[0] + G[3 * col + 1] * d[1] + G[3 * col + 2] * d[2];
    }
  }
  for (int k = 0; islands->global && k < islands->n_listed; k++) {
    const int i = islands->of_contact[k];
    n_touched = touch_island(c, i, n_touched, momentum);
    xs_global_yield(islands->global, i, islands->y + islands->island[i].y, momentum);
  }
  return n_touched;
}

/* What was found holds: l0 becomes l, and islands' multipliers change by their answers. */
static void accept(xs_contacts *c, const int *member, int n, double *l0, double *lambda) {
  const xs_contacts_islands *islands = &c->islands;
  for (int i = 0; i < n; i++) memcpy(l0 + 3 * member[i], c->cone_l + 3 * i, 3 * sizeof *l0);
  for (int k = 0; islands->global && k < islands->n_listed; k++) {
    const int i = islands->of_contact[k];
    xs_global_take(islands->global, i, islands->y + islands->island[i].y, lambda);
  }
}

static void leave(xs_contacts *c, const int *member, int n) {
  for (int i = 0; i < n; i++) c->seat[member[i]] = -1;
}

static void clear_seats(xs_contacts *c) {
  for (int i = 0; i < c->n; i++) c->seat[i] = c->mark[i] = -1;
}

/* ---- Positions ---- */

/* Of so many contacts of bodies all take part from the start: to be solved again costs more. */
enum { TOGETHER = 128 };

/* Who takes part at first: those that overlap at the poses x or carry something, and those that are
 * nearer than gravity moves anything in a substep (a stack is predicted to fall as one, with its
 * gaps as they were), into c->active. Normal rows of the others are left in C and, one row each, in
 * G. Returns how many. */
static int choose(xs_contacts *c, const xs_system *system, const int *member, int n,
                  const xs_pose *x) {
  const double fall = n >= TOGETHER && are_plain(c, member, n)
                          ? INFINITY
                          : system->h * system->h * xs_vec3_norm(c->world->gravity);
  int n_active = 0;
  for (int i = 0; i < n; i++) {
    const int contact = member[i];
    const xs_row_block *block = &c->block[contact];
    double *C = c->C + 3 * contact;
    block->kind->evaluate(block, x, 0, 1, C, c->G + c->at[contact]);
    c->takes_part[contact] = c->lambda[3 * contact] > 0 || !(C[0] > fall);
    if (c->takes_part[contact]) c->active[n_active++] = contact;
  }
  return n_active;
}

/* Whether an open contact would overlap where momentum takes it, to first order. */
static int overlaps_by(const xs_contacts *c, int contact, const double *momentum) {
  const xs_row_block *block = &c->block[contact];
  double gap = c->C[3 * contact];
  for (int k = 0; k < block->n_nodes; k++) {
    const int node = block->node[k];
    if (!c->node_mark[node]) continue;
    const xs_inertia *inertia = &c->world->inertia[node];
    const double *g = c->G + c->at[contact] + 6 * k, *m = momentum + 6 * node;
    gap += inertia->inv_mass * (g[0] * m[0] + g[1] * m[1] + g[2] * m[2]) +
           g[3] * inertia->inv_moment.x * m[3] + g[4] * inertia->inv_moment.y * m[4] +
           g[5] * inertia->inv_moment.z * m[5];
  }
  return gap < 0;
}

/* Those that would be made to overlap join, in the group's order. Returns how many take part. */
static int join(xs_contacts *c, const int *member, int n, const double *momentum) {
  int n_active = 0;
  for (int i = 0; i < n; i++) {
    const int contact = member[i];
    if (!c->takes_part[contact] && overlaps_by(c, contact, momentum)) c->takes_part[contact] = 1;
    if (c->takes_part[contact]) c->active[n_active++] = contact;
  }
  return n_active;
}

/* l of those of a group that take part, at the poses x. */
static void solve_cone(xs_contacts *c, const xs_system *system, const xs_pose *x, const int *member,
                       int n) {
  const double alpha_tilde = c->alpha[0] / (system->h * system->h);
  evaluate(c, member, n, x);
  for (int i = 0; i < n; i++)
    for (int r = 0; r < 3; r++) {
      const double l0 = c->lambda[3 * member[i] + r];
      c->cone_l[3 * i + r] = l0;
      c->cone_b[3 * i + r] = -c->C[3 * member[i] + r] - (r == 0 ? alpha_tilde * l0 : 0);
    }
  search(c, system, x, member, n, alpha_tilde);
}

static void solve_group(xs_contacts *c, xs_system *system, xs_pose *x, const int *member, int n) {
  int n_active = choose(c, system, member, n, x);
  while (n_active > 0) { /* ends, as there are only so many stops and contacts */
    const int n_before = n_active;
    solve_cone(c, system, x, c->active, n_active);
    int n_touched = answer(c, c->active, n_active, c->lambda, system->momentum, system->lambda);
    if (n_touched > 0) {
      leave(c, c->active, n_active);
      xs_system_displace(system, x, n_touched, c->touched, 0);
      n_active = choose(c, system, member, n, x);
      continue;
    }
    n_touched = collect(c, c->active, n_active, system->momentum);
    leave(c, c->active, n_active);
    n_active = join(c, member, n, system->momentum);
    unmark(c, n_touched);
    if (n_active > n_before) continue;
    accept(c, c->active, n_active, c->lambda, system->lambda);
    xs_system_displace(system, x, n_touched, c->touched, 0);
    return;
  }
}

void xs_contacts_solve(xs_contacts *c, xs_system *system, xs_pose *x) {
  clear_seats(c);
  for (int g = 0; g < c->groups.n; g++) {
    const int first = c->groups.first[g];
    solve_group(c, system, x, c->groups.order + first, c->groups.first[g + 1] - first);
  }
}

/* ---- Velocities ---- */

/* Rates G v of a contact's rows. */
static void rates_of(const xs_contacts *c, int contact, const xs_state *state, double rate[3]) {
  const xs_row_block *block = &c->block[contact];
  rate[0] = rate[1] = rate[2] = 0;
  for (int k = 0; k < block->n_nodes; k++) {
    const xs_vec3 v = state->v[block->node[k]], w = state->omega[block->node[k]];
    const double u[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
    const double *G = c->G + c->at[contact] + 18 * k;
    for (int col = 0; col < 6; col++)
      for (int r = 0; r < 3; r++) rate[r] += G[3 * col + r] * u[col];
  }
}

static void kick(const xs_world *world, xs_state *state, int n, const int *node,
                 const double *momentum) {
  for (int k = 0; k < n; k++) {
    const xs_inertia *inertia = &world->inertia[node[k]];
    const double *g = momentum + 6 * node[k];
    xs_vec3 *v = &state->v[node[k]], *omega = &state->omega[node[k]];
    *v = xs_vec3_add_scaled(*v, inertia->inv_mass, (xs_vec3){g[0], g[1], g[2]});
    *omega = xs_vec3_add(*omega, xs_vec3_mul(inertia->inv_moment, (xs_vec3){g[3], g[4], g[5]}));
  }
}

/* J of a group at the velocities of the state. */
static void solve_impulses(xs_contacts *c, const xs_state *state, const int *member, int n) {
  evaluate(c, member, n, state->x);
  for (int i = 0; i < n; i++) {
    double rate[3];
    rates_of(c, member[i], state, rate);
    for (int r = 0; r < 3; r++) {
      c->cone_l[3 * i + r] = c->impulse[3 * member[i] + r];
      c->cone_b[3 * i + r] = (r == 0 ? c->bounce[member[i]] : 0) - rate[r];
    }
  }
  search(c, NULL, NULL, member, n, 0);
}

static void solve_velocities(xs_contacts *c, xs_state *state, const int *member, int n,
                             double *momentum) {
  for (;;) { /* ends, as a stop that was let go has no part any more */
    solve_impulses(c, state, member, n);
    int n_touched = answer(c, member, n, c->impulse, momentum, c->late);
    if (n_touched == 0) break;
    kick(c->world, state, n_touched, c->touched, momentum);
    leave(c, member, n);
  }
  const int n_touched = collect(c, member, n, momentum);
  unmark(c, n_touched);
  accept(c, member, n, c->impulse, c->late);
  kick(c->world, state, n_touched, c->touched, momentum);
  leave(c, member, n);
}

/* Overlaps that are left. */
static void note_depth(xs_contacts *c, const xs_pose *x, double t) {
  for (int i = 0; i < c->n; i++) {
    double C, G[6 * XS_ROW_NODES_MAX];
    c->block[i].kind->evaluate(&c->block[i], x, 0, 1, &C, G);
    if (!(-C > c->deepest)) continue;
    c->deepest = -C;
    c->deepest_time = t;
  }
}

void xs_contacts_velocity(xs_contacts *c, xs_system *system, xs_state *state, double t) {
  note_depth(c, state->x, t);
  for (int i = 0; i < 3 * c->n; i++) c->impulse[i] = c->lambda[i] / system->h;
  for (int r = 0; r < c->n_rows; r++) c->late[r] = system->lambda[r] / system->h;
  if (c->alpha[0] > 0) return;
  clear_seats(c);
  /* What carries nothing takes no part. */
  for (int g = 0; g < c->connected.n; g++) {
    const int first = c->connected.first[g], end = c->connected.first[g + 1];
    int n = 0;
    for (int k = first; k < end; k++)
      if (c->lambda[3 * c->connected.order[k]] > 0) c->active[n++] = c->connected.order[k];
    if (n > 0) solve_velocities(c, state, c->active, n, system->momentum);
  }
}
