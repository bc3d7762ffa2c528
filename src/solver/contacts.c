/* Contacts of a substep: buffers, detection, groups (contacts.h). */
#include "solver/contacts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- Buffers ---- */

static xs_status no_memory(xs_report *report) {
  return xs_report_error(report, XS_INTERNAL, NULL, "out of memory for contacts");
}

static int allocate_groups(xs_arena *arena, int capacity, xs_contact_groups *groups) {
  groups->n = 0;
  groups->first = XS_ARENA_NEW(arena, int, capacity + 1);
  groups->order = XS_ARENA_NEW(arena, int, capacity);
  return groups->first && groups->order;
}

/* What goes with the number of contacts; older buffers stay in the arena. */
static int allocate_contacts(xs_contacts *c, int capacity) {
  xs_arena *arena = c->arena;
  const size_t n = (size_t)capacity;
  c->capacity = capacity;
  c->block = XS_ARENA_NEW(arena, xs_row_block, n);
  c->lambda = XS_ARENA_NEW(arena, double, 3 * n);
  c->impulse = XS_ARENA_NEW(arena, double, 3 * n);
  c->bounce = XS_ARENA_NEW(arena, double, n);
  c->C = XS_ARENA_NEW(arena, double, 3 * n);
  c->at = XS_ARENA_NEW(arena, size_t, n + 1);
  c->incident = XS_ARENA_NEW(arena, int, XS_ROW_NODES_MAX *n);
  c->incident_slot = XS_ARENA_NEW(arena, int, XS_ROW_NODES_MAX *n);
  c->seat = XS_ARENA_NEW(arena, int, n);
  c->mark = XS_ARENA_NEW(arena, int, n);
  c->active = XS_ARENA_NEW(arena, int, n);
  c->takes_part = XS_ARENA_NEW(arena, unsigned char, n);
  c->cone_first = XS_ARENA_NEW(arena, int, n + 1);
  c->cone_b = XS_ARENA_NEW(arena, double, 3 * n);
  c->cone_l = XS_ARENA_NEW(arena, double, 3 * n);
  c->cone_start = XS_ARENA_NEW(arena, double, 3 * n);
  c->cone_mu = XS_ARENA_NEW(arena, double, n);
  c->cone_mu_s = XS_ARENA_NEW(arena, double, n);
  c->friction = XS_ARENA_NEW(arena, double, n);
  c->static_friction = XS_ARENA_NEW(arena, double, n);
  return c->block && c->lambda && c->impulse && c->bounce && c->C && c->at && c->incident &&
         c->incident_slot && c->seat && c->mark && c->active && c->takes_part && c->cone_first &&
         c->cone_b && c->cone_l && c->cone_start && c->cone_mu && c->cone_mu_s && c->friction &&
         c->static_friction && allocate_groups(arena, capacity, &c->groups) &&
         allocate_groups(arena, capacity, &c->connected) &&
         xs_contact_cone_create(capacity, arena, &c->work) &&
         xs_contact_pile_fit(&c->pile, capacity, arena) &&
         xs_contacts_islands_fit(&c->islands, capacity, arena);
}

static int allocate_gradients(xs_contacts *c, size_t n) {
  c->G_capacity = n;
  c->G = XS_ARENA_NEW(c->arena, double, n);
  return c->G != NULL;
}

static int allocate_blocks(xs_contacts *c, size_t n) {
  c->block_capacity = n;
  c->cone_column = XS_ARENA_NEW(c->arena, int, n);
  c->cone_A = XS_ARENA_NEW(c->arena, double, 9 * n);
  c->cone_normal = XS_ARENA_NEW(c->arena, double, n);
  return c->cone_column && c->cone_A && c->cone_normal;
}

/* What one takes that fits at first. Those that fit are two to eight times as many as there are,
 * but pages that nothing is written to take no memory; what was outgrown is kept. */
double xs_contacts_bytes(void) {
  enum { N = 1000 };
  xs_arena arena = {0};
  xs_contacts c = {.arena = &arena};
  const int made = allocate_contacts(&c, N) && allocate_gradients(&c, 36 * (size_t)N) &&
                   allocate_blocks(&c, 16 * (size_t)N);
  const double bytes = (double)arena.allocated / N + xs_collide_contact_bytes();
  xs_arena_free(&arena);
  return made ? bytes : NAN;
}

/* ---- Materials ---- */

/* Static friction of a side: its material's, else what slides. */
static double static_friction_of(const xs_world *world, const xs_contact_side *side) {
  const int material =
      side->rod ? side->rod->material : world->bodies[side->owner].shapes[side->part].material;
  const xs_material *m = material >= 0 ? &world->materials[material] : NULL;
  if (m && !isnan(m->static_friction)) return m->static_friction;
  return m && !isnan(m->friction) ? m->friction : world->contact.friction;
}

/* ---- Detection ---- */

/* Contacts by node: counting sort, in the list's order. */
static void list_incidences(xs_contacts *c) {
  const xs_world *world = c->world;
  int *first = c->first_incident;
  memset(first, 0, ((size_t)world->n_nodes + 2) * sizeof *first);
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->block[i].n_nodes; k++)
      if (world->inertia[c->block[i].node[k]].inv_mass > 0) first[c->block[i].node[k] + 2]++;
  for (int node = 0; node < world->n_nodes; node++) first[node + 2] += first[node + 1];
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->block[i].n_nodes; k++) {
      const int node = c->block[i].node[k];
      if (!(world->inertia[node].inv_mass > 0)) continue;
      const int place = first[node + 1]++;
      c->incident[place] = i;
      c->incident_slot[place] = k;
    }
}

static int same_pair(const xs_contact *a, const xs_contact *b) {
  for (int s = 0; s < 2; s++)
    if (a->side[s].owner != b->side[s].owner || !a->side[s].rod != !b->side[s].rod) return 0;
  return 1;
}

/* Puts the contacts of a list that have no group yet, and may be in that of `start`, into it. */
static int take(xs_contacts *c, xs_contact_groups *groups, const int *list, int n, xs_solve solve,
                int start, int end) {
  for (int p = 0; p < n; p++) {
    const int j = list[p];
    if (c->mark[j]) continue;
    if (solve == XS_SOLVE_BLOCK && !same_pair(&c->contact[start], &c->contact[j])) continue;
    c->mark[j] = 1;
    groups->order[end++] = j;
  }
  return end;
}

/* Breadth first from each contact that has no group yet, which keeps neighbours near each other
 * in the order and so the matrix narrow. */
static void find_groups(xs_contacts *c, xs_solve solve, xs_contact_groups *groups) {
  int end = 0;
  groups->n = 0;
  for (int i = 0; i < c->n; i++) c->mark[i] = 0;
  for (int start = 0; start < c->n; start++) {
    if (c->mark[start]) continue;
    groups->first[groups->n++] = end;
    c->mark[start] = 1;
    groups->order[end++] = start;
    for (int at = end - 1; at < end && solve != XS_SOLVE_INDIVIDUAL; at++) {
      const xs_row_block *block = &c->block[groups->order[at]];
      for (int k = 0; k < block->n_nodes; k++) {
        const int node = block->node[k];
        end = take(c, groups, c->incident + c->first_incident[node],
                   c->first_incident[node + 1] - c->first_incident[node], solve, start, end);
      }
      const xs_contacts_islands *islands = &c->islands;
      for (int s = 0; s < XS_CONTACT_ISLANDS && islands->global; s++) {
        const int island = islands->coupling[XS_CONTACT_ISLANDS * groups->order[at] + s].island;
        if (island < 0) continue;
        const int first = islands->first_contact[island];
        end = take(c, groups, islands->contact + first, islands->first_contact[island + 1] - first,
                   solve, start, end);
      }
    }
  }
  groups->first[groups->n] = end;
}

/* Blocks of a matrix over the contacts, at most: those that share a node, counted with each. */
static size_t count_blocks(const xs_contacts *c) {
  size_t total = 0;
  for (int node = 0; node < c->world->n_nodes; node++) {
    const size_t n = (size_t)(c->first_incident[node + 1] - c->first_incident[node]);
    total += n * n;
  }
  const xs_contacts_islands *islands = &c->islands;
  for (int i = 0; islands->global && i < xs_global_n_islands(islands->global); i++) {
    const size_t n = (size_t)(islands->first_contact[i + 1] - islands->first_contact[i]);
    total += n * n;
  }
  return total;
}

/* Normal row at poses x: its value; and, with velocities, its rate. */
static double normal_row(const xs_row_block *block, const xs_pose *x, const xs_vec3 *v,
                         const xs_vec3 *omega, double *rate) {
  double C, G[6 * XS_ROW_NODES_MAX];
  block->kind->evaluate(block, x, 0, 1, &C, G);
  if (!rate) return C;
  *rate = 0;
  for (int k = 0; k < block->n_nodes; k++) {
    const double *g = G + 6 * k;
    const int node = block->node[k];
    *rate += g[0] * v[node].x + g[1] * v[node].y + g[2] * v[node].z + g[3] * omega[node].x +
             g[4] * omega[node].y + g[5] * omega[node].z;
  }
  return C;
}

/* The speed that is to be left after the impact, by the law of contacts.h. */
static double bounce_of(const xs_contacts *c, int i, double gap_tilde, double h) {
  const double e = c->contact[i].restitution;
  if (!(e > 0)) return 0;
  double rate;
  const double gap0 = normal_row(&c->block[i], c->x_n, c->v_n, c->omega_n, &rate);
  const double closing = -rate, a = -(gap_tilde - gap0 - h * rate) / (h * h);
  if (closing <= 2 * fabs(a) * h) return 0;
  const double half = closing + 0.5 * a * h;
  const double at_surface = sqrt(fmax(0, half * half + 2 * a * fmax(0, gap0)));
  return fmax(0, e * at_surface + 0.5 * a * h);
}

/* Room for what was found. */
static int fit(xs_contacts *c, int n) {
  if (n > c->capacity && !allocate_contacts(c, 2 * n)) return 0;
  size_t values = 0;
  for (int i = 0; i < n; i++) values += 6 * XS_CONTACT_ROWS * (size_t)c->contact[i].n_nodes;
  return values <= c->G_capacity || allocate_gradients(c, 2 * values);
}

/* Larger buffers of detection; contacts move. */
static xs_status grow(xs_contacts *c, xs_report *report) {
  xs_status status = xs_collide_grow(c->collide, report);
  const xs_contact_list *list = xs_collide_contacts(c->collide);
  c->contact = list->contact;
  for (int i = 0; i < c->n; i++) c->block[i].data = &c->contact[i];
  return status;
}

/* The list at the poses x, whatever room it takes. */
static xs_status find(xs_contacts *c, const xs_pose *x, xs_report *report) {
  while (xs_collide_detect(c->collide, x, c->x_n) == XS_COLLIDE_FULL) {
    xs_status status = grow(c, report);
    if (status) return status;
    c->grown = 1;
  }
  return XS_OK;
}

/* The list of contacts, whose rows it makes, becomes that of the substep. */
static xs_status adopt(xs_contacts *c, const xs_pose *x, double h, int again, xs_report *report) {
  const xs_contact_list *list = xs_collide_contacts(c->collide);
  c->contact = list->contact;
  if (!fit(c, list->n)) return no_memory(report);
  c->n = list->n;
  c->at[0] = 0;
  for (int i = 0; i < c->n; i++) {
    const xs_contact *contact = &c->contact[i];
    c->block[i] = xs_contact_block(contact, c->alpha[0] > 0 ? c->alpha : NULL, -1, 3 * i);
    c->at[i + 1] = c->at[i] + 6 * XS_CONTACT_ROWS * (size_t)contact->n_nodes;
    c->friction[i] = contact->friction;
    c->static_friction[i] =
        fmax(contact->friction, sqrt(static_friction_of(c->world, &contact->side[0]) *
                                     static_friction_of(c->world, &contact->side[1])));
    for (int r = 0; r < XS_CONTACT_ROWS; r++)
      c->lambda[3 * i + r] = again && contact->match >= 0 ? contact->lambda[r] : 0;
  }
  memset(c->impulse, 0, 3 * (size_t)c->n * sizeof *c->impulse);

  list_incidences(c);
  if (c->islands.global && !xs_contacts_islands_find(c)) return no_memory(report);
  const size_t blocks = count_blocks(c);
  if (blocks > c->block_capacity && !allocate_blocks(c, 2 * blocks)) return no_memory(report);
  find_groups(c, c->world->solver.solve, &c->groups);
  find_groups(c, XS_SOLVE_GLOBAL, &c->connected);

  if (c->x_tilde && !again) memcpy(c->x_tilde, x, (size_t)c->world->n_nodes * sizeof *x);
  for (int i = 0; i < c->n; i++) {
    const double gap_tilde =
        again ? normal_row(&c->block[i], c->x_tilde, NULL, NULL, NULL) : c->contact[i].gap;
    c->bounce[i] = bounce_of(c, i, gap_tilde, h);
  }
  return XS_OK;
}

xs_status xs_contacts_detect(xs_contacts *c, const xs_pose *x, double h, xs_report *report) {
  xs_status status = find(c, x, report);
  return status ? status : adopt(c, x, h, 0, report);
}

/* Takes back what contacts have done that the list does not go on with: x moves by
 * -M^-1 G^T lambda, so that it is still x~ [+] M^-1 (sum of all G^T lambda). */
static void take_back(xs_contacts *c, xs_system *system, xs_pose *x) {
  const xs_contact_list *list = xs_collide_contacts(c->collide);
  int any = 0;
  for (int i = 0; i < list->n; i++)
    if (list->contact[i].match >= 0)
      memset(c->lambda + 3 * list->contact[i].match, 0, 3 * sizeof *c->lambda);
  for (int i = 0; i < 3 * c->n; i++) any |= c->lambda[i] != 0;
  if (!any) return;
  memset(system->momentum, 0, 6 * (size_t)c->world->n_nodes * sizeof *system->momentum);
  xs_contacts_gather(c, x, -1, system->momentum);
  xs_system_displace(system, x, system->n_moving, system->moving, 0);
}

xs_status xs_contacts_detect_again(xs_contacts *c, xs_system *system, xs_pose *x,
                                   xs_report *report) {
  for (int i = 0; i < c->n; i++)
    memcpy(c->contact[i].lambda, c->lambda + 3 * i, sizeof c->contact[i].lambda);
  xs_status status = find(c, x, report);
  if (status) return status;
  take_back(c, system, x); /* the contacts before are still where they were */
  return adopt(c, x, system->h, 1, report);
}

xs_status xs_contacts_join(xs_contacts *c, xs_global *global, int n_rows, xs_report *report) {
  c->late = XS_ARENA_NEW(c->arena, double, n_rows);
  c->n_rows = n_rows;
  if (!c->late || !xs_contacts_islands_create(&c->islands, global, c->arena) ||
      !xs_contacts_islands_find(c))
    return no_memory(report);
  return XS_OK;
}

void xs_contacts_begin(xs_contacts *c, const xs_state *state) {
  const size_t n = (size_t)c->world->n_nodes;
  memcpy(c->x_n, state->x, n * sizeof *c->x_n);
  memcpy(c->v_n, state->v, n * sizeof *c->v_n);
  memcpy(c->omega_n, state->omega, n * sizeof *c->omega_n);
}

xs_status xs_contacts_make_room(xs_contacts *c, double t, xs_report *report) {
  const int tight = xs_collide_tight(c->collide);
  if (!tight && !c->grown) return XS_OK;
  xs_status status = tight ? grow(c, report) : XS_OK;
  c->grown = 0;
  if (status == XS_OK)
    xs_report_warning(report, NULL,
                      "at t = %.9g s: %d contacts; made room for %d (nothing was lost)", t, c->n,
                      xs_collide_capacity(c->collide));
  return status;
}

/* ---- Creation ---- */

/* "body \"a\"" or "rod \"r\"" */
static const char *name_of(const xs_world *world, const xs_contact_side *side) {
  return side->rod ? world->rods[side->owner].name : world->bodies[side->owner].name;
}

static void warn_of_overlap(const xs_contacts *c, xs_report *report) {
  const xs_contact *deepest = NULL;
  int n = 0;
  for (int i = 0; i < c->n; i++) {
    if (!(c->contact[i].gap < -1e-9 * c->world->size)) continue;
    n++;
    if (!deepest || c->contact[i].gap < deepest->gap) deepest = &c->contact[i];
  }
  if (deepest)
    xs_report_warning(
        report, NULL,
        "%d contacts overlap at t = 0; deepest: \"%s\" and \"%s\", by %.3g m; they are "
        "moved apart in the first step, without a rebound",
        n, name_of(c->world, &deepest->side[0]), name_of(c->world, &deepest->side[1]),
        -deepest->gap);
}

xs_status xs_contacts_create(const xs_world *world, const xs_state *state, xs_arena *arena,
                             xs_contacts **result, xs_report *report) {
  *result = NULL;
  if (!world->contact.enabled) return XS_OK;
  const size_t n = (size_t)world->n_nodes;
  xs_contacts *c = XS_ARENA_NEW(arena, xs_contacts, 1);
  if (!c) return no_memory(report);
  c->world = world;
  c->arena = arena;
  c->alpha[0] = world->contact.compliance;
  c->x_n = XS_ARENA_NEW(arena, xs_pose, n);
  if (world->contact.detect_every_iteration) c->x_tilde = XS_ARENA_NEW(arena, xs_pose, n);
  c->v_n = XS_ARENA_NEW(arena, xs_vec3, n);
  c->omega_n = XS_ARENA_NEW(arena, xs_vec3, n);
  c->first_incident = XS_ARENA_NEW(arena, int, n + 2);
  c->touched = XS_ARENA_NEW(arena, int, n);
  c->node_mark = XS_ARENA_NEW(arena, int, n);
  if (!c->x_n || (world->contact.detect_every_iteration && !c->x_tilde) || !c->v_n || !c->omega_n ||
      !c->first_incident || !c->touched || !c->node_mark)
    return no_memory(report);
  xs_status status = xs_collide_create(world, arena, &c->collide, report);
  if (status) return status;
  const int capacity = xs_collide_capacity(c->collide);
  if (!allocate_contacts(c, capacity > 64 ? capacity : 64) ||
      !allocate_gradients(c, 36 * (size_t)c->capacity) ||
      !allocate_blocks(c, 16 * (size_t)c->capacity) ||
      !xs_contact_pile_create(&c->pile, world->n_nodes, arena))
    return no_memory(report);

  xs_contacts_begin(c, state);
  status = xs_contacts_detect(c, state->x, world->time.step / world->time.substeps, report);
  if (status == XS_OK) warn_of_overlap(c, report);
  if (status == XS_OK && xs_collide_tight(c->collide)) status = grow(c, report);
  c->grown = 0;
  *result = c;
  return status;
}

/* ---- What is known of them ---- */

void xs_contacts_gather(const xs_contacts *c, const xs_pose *x, double sign, double *sum) {
  for (int i = 0; i < c->n; i++) {
    const xs_row_block *block = &c->block[i];
    const double *lambda = c->lambda + 3 * i;
    if (lambda[0] == 0 && lambda[1] == 0 && lambda[2] == 0) continue;
    double C[XS_CONTACT_ROWS], G[XS_CONTACT_ROWS * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, x, 0, XS_CONTACT_ROWS, C, G);
    for (int k = 0; k < block->n_nodes; k++) {
      double *to = sum + 6 * block->node[k];
      if (c->world->inertia[block->node[k]].inv_mass == 0) continue;
      for (int col = 0; col < 6; col++) {
        const double *g = G + (k * 6 + col) * XS_CONTACT_ROWS;
        to[col] += sign * (g[0] * lambda[0] + g[1] * lambda[1] + g[2] * lambda[2]);
      }
    }
  }
}

void xs_contacts_clear(xs_contacts *c) {
  memset(c->lambda, 0, 3 * (size_t)c->n * sizeof *c->lambda);
}

double xs_contacts_energy(const xs_contacts *c, const xs_pose *x) {
  double sum = 0;
  for (int i = 0; i < c->n && c->alpha[0] > 0; i++) {
    const double gap = fmin(0, normal_row(&c->block[i], x, NULL, NULL, NULL));
    sum += 0.5 * gap * gap / c->alpha[0];
  }
  return sum;
}

double xs_contacts_residual2(const xs_contacts *c, const xs_pose *x, double h) {
  double sum = 0;
  for (int i = 0; i < c->n; i++) {
    const xs_row_block *block = &c->block[i];
    const double *lambda = c->lambda + 3 * i;
    double C[XS_CONTACT_ROWS], G[XS_CONTACT_ROWS * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, x, 0, XS_CONTACT_ROWS, C, G);
    const double alpha_tilde = h > 0 ? c->alpha[0] / (h * h) : 0;
    const double gap = C[0] + alpha_tilde * lambda[0];
    if (lambda[0] > 0 || gap < 0) sum += gap * gap;
    const double bound = c->static_friction[i] * lambda[0];
    if (hypot(lambda[1], lambda[2]) < bound * (1 - 1e-9)) sum += C[1] * C[1] + C[2] * C[2];
  }
  return sum;
}
