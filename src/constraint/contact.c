/* Sides, tangents and rows of contacts (equations: contact.h). */
#include "constraint/contact.h"

#include <assert.h>
#include <string.h>

#include "constraint/rod_shape.h"
#include "constraint/rod_turn.h"

/* ---- Points ---- */

/* p(xi) by differences from the first node, which far from the origin are nearly exact. */
static xs_vec3 centre_line(const xs_contact_side *side, const xs_pose *x) {
  const xs_pose *xe = x + side->first_node;
  xs_vec3 d = {0, 0, 0};
  for (int j = 1; j < side->n_nodes; j++)
    d = xs_vec3_add_scaled(d, side->phi[j], xs_vec3_sub(xe[j].p, xe[0].p));
  return xs_vec3_add(xe[0].p, d);
}

static xs_vec3 body_point(const xs_contact_side *side, const xs_pose *x, xs_vec3 local) {
  const xs_pose *body = &x[side->first_node];
  return xs_vec3_add(body->p, xs_mat3_mul_vec(&body->R, local));
}

xs_vec3 xs_contact_core_point(const xs_contact_side *side, const xs_pose *x) {
  return side->rod ? centre_line(side, x) : body_point(side, x, side->core);
}

xs_vec3 xs_contact_surface_point(const xs_contact_side *side, const xs_pose *x) {
  if (!side->rod) return body_point(side, x, side->arm);
  xs_mat3 R = xs_rod_turn_rotation(x + side->first_node, side->n_nodes, side->phi);
  return xs_vec3_add(centre_line(side, x), xs_mat3_mul_vec(&R, side->arm));
}

/* ---- From detection to rows ---- */

xs_contact_side xs_contact_body_side(const xs_pose *x, int node, int body, int shape, xs_vec3 c,
                                     double radius, xs_vec3 d) {
  xs_contact_side side = {
      .owner = body, .part = shape, .first_node = node, .n_nodes = 1, .radius = radius, .phi = {1}};
  side.core = xs_mat3_tmul_vec(&x[node].R, xs_vec3_sub(c, x[node].p));
  side.arm = xs_vec3_add_scaled(side.core, radius, xs_mat3_tmul_vec(&x[node].R, d));
  return side;
}

xs_contact_side xs_contact_rod_side(const xs_pose *x, const xs_rod *rod, int rod_index, int element,
                                    double xi, double radius, xs_vec3 d) {
  int n = xs_rod_element_nodes(rod->discretization);
  xs_contact_side side = {.rod = rod,
                          .owner = rod_index,
                          .part = element,
                          .first_node = rod->first_node + element * (n - 1),
                          .n_nodes = n,
                          .radius = radius,
                          .xi = xi};
  xs_rod_shape shape = xs_rod_shape_at(n, xi);
  memcpy(side.phi, shape.phi, sizeof side.phi);
  xs_mat3 R = xs_rod_turn_rotation(x + side.first_node, n, side.phi);
  side.arm = xs_vec3_scale(radius, xs_mat3_tmul_vec(&R, d));
  return side;
}

/* Two unit vectors across the unit vector n, smooth in n but at n.z = 0 (Duff et al.,
 * "Building an orthonormal basis, revisited", JCGT 6(1), 2017); n = t1 x t2. */
static void tangents(xs_vec3 n, xs_vec3 *t1, xs_vec3 *t2) {
  double sign = copysign(1, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  *t1 = xs_vec3_make(1 + sign * n.x * n.x * a, sign * b, -sign * n.x);
  *t2 = xs_vec3_make(b, sign + n.y * n.y * a, -n.y);
}

static xs_vec3 between(const xs_contact *contact, const xs_pose *x,
                       xs_vec3 point(const xs_contact_side *, const xs_pose *)) {
  return xs_vec3_sub(point(&contact->side[0], x), point(&contact->side[1], x));
}

static double normal_gap(const xs_contact *contact, const xs_pose *x) {
  return xs_vec3_dot(contact->n, between(contact, x, xs_contact_core_point)) -
         (contact->side[0].radius + contact->side[1].radius);
}

void xs_contact_complete(xs_contact *contact, const xs_pose *x, const xs_pose *x_n) {
  tangents(contact->n, &contact->t1, &contact->t2);
  contact->gap = normal_gap(contact, x);
  contact->start = between(contact, x_n, xs_contact_surface_point);
  contact->match = -1;
  for (int r = 0; r < XS_CONTACT_ROWS; r++) contact->lambda[r] = 0;

  /* Nodes, each once. */
  contact->n_nodes = 0;
  for (int s = 0; s < 2; s++)
    for (int j = 0; j < contact->side[s].n_nodes; j++) {
      int node = contact->side[s].first_node + j, k = 0;
      while (k < contact->n_nodes && contact->node[k] != node) k++;
      if (k == contact->n_nodes) contact->node[contact->n_nodes++] = node;
      contact->slot[s][j] = k;
    }
}

/* ---- Rows ---- */

/* The directions of rows first .. first + count - 1. */
typedef struct directions {
  xs_vec3 d[XS_CONTACT_ROWS];
  int first, count;
} directions;

static void add(double *G, int count, int row, int k, xs_vec3 by_p, xs_vec3 by_theta) {
  double *g = G + 6 * k * count + row;
  g[0] += by_p.x;
  g[count] += by_p.y;
  g[2 * count] += by_p.z;
  g[3 * count] += by_theta.x;
  g[4 * count] += by_theta.y;
  g[5 * count] += by_theta.z;
}

/* A body's columns. */
static void add_body(const xs_contact_side *side, int slot, double sign, const xs_pose *x,
                     const directions *along, double *G) {
  const xs_mat3 *R = &x[side->first_node].R;
  for (int r = 0; r < along->count; r++) {
    xs_vec3 d = xs_vec3_scale(sign, along->d[r]);
    xs_vec3 point = along->first + r == 0 ? side->core : side->arm;
    add(G, along->count, r, slot, d, xs_vec3_cross(point, xs_mat3_tmul_vec(R, d)));
  }
}

/* A rod's; turn NULL: there are no tangent rows. */
static void add_rod(const xs_contact_side *side, const int *slot, double sign,
                    const xs_rod_turn *turn, const directions *along, double *G) {
  for (int r = 0; r < along->count; r++) {
    int tangent = turn != NULL && along->first + r > 0;
    xs_vec3 d = xs_vec3_scale(sign, along->d[r]), moment = {0, 0, 0};
    if (tangent) moment = xs_vec3_cross(side->arm, xs_mat3_tmul_vec(&turn->R, d));
    for (int j = 0; j < side->n_nodes; j++) {
      xs_vec3 by_theta = tangent ? xs_mat3_tmul_vec(&turn->X[j], moment) : moment;
      add(G, along->count, r, slot[j], xs_vec3_scale(side->phi[j], d), by_theta);
    }
  }
}

/* Adds a side's columns; returns its surface point, without which normal rows do. */
static xs_vec3 add_side(const xs_contact *contact, int s, const xs_pose *x, const directions *along,
                        double *G) {
  const xs_contact_side *side = &contact->side[s];
  const double sign = s == 0 ? 1 : -1;
  const int tangent = along->first + along->count > 1;
  if (!side->rod) {
    add_body(side, contact->slot[s][0], sign, x, along, G);
    return body_point(side, x, side->arm);
  }
  xs_rod_turn turn;
  xs_vec3 surface = {0, 0, 0};
  if (tangent) {
    xs_rod_turn_at(x + side->first_node, side->n_nodes, side->phi, &turn);
    surface = xs_vec3_add(centre_line(side, x), xs_mat3_mul_vec(&turn.R, side->arm));
  }
  add_rod(side, contact->slot[s], sign, tangent ? &turn : NULL, along, G);
  return surface;
}

static void evaluate(const xs_row_block *block, const xs_pose *x, int first, int count, double *C,
                     double *G) {
  const xs_contact *contact = block->data;
  const xs_vec3 axes[XS_CONTACT_ROWS] = {contact->n, contact->t1, contact->t2};
  assert(0 <= first && first + count <= XS_CONTACT_ROWS);
  directions along = {.first = first, .count = count};
  for (int r = 0; r < count; r++) along.d[r] = axes[first + r];

  memset(G, 0, sizeof(double) * (size_t)(6 * contact->n_nodes * count));
  xs_vec3 a1 = add_side(contact, 0, x, &along, G);
  xs_vec3 a2 = add_side(contact, 1, x, &along, G);
  xs_vec3 slip = xs_vec3_sub(xs_vec3_sub(a1, a2), contact->start);
  for (int r = 0; r < count; r++)
    C[r] = first + r == 0 ? normal_gap(contact, x) : xs_vec3_dot(along.d[r], slip);
}

const xs_row_kind xs_contact_kind = {.name = "contact",
                                     .n_rows = XS_CONTACT_ROWS,
                                     .n_nodes = XS_ROW_NODES_MAX,
                                     .evaluate = evaluate};

xs_row_block xs_contact_block(const xs_contact *contact, const double *alpha, int entity,
                              int first_row) {
  xs_row_block block = {.kind = &xs_contact_kind,
                        .data = contact,
                        .alpha = alpha,
                        .entity = entity,
                        .first_row = first_row,
                        .n_rows = XS_CONTACT_ROWS,
                        .n_nodes = contact->n_nodes,
                        .bound = XS_BOUND_CONE,
                        .lambda_min = -INFINITY,
                        .lambda_max = INFINITY};
  memcpy(block.node, contact->node, sizeof block.node);
  return block;
}
