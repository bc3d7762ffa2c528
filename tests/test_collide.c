/* Detection as a whole: pairs, manifolds, exclusions, order, matching, growth. */
#include <criterion/criterion.h>

#include "collide/broad.h"
#include "collide/thin.h"
#include "collide_sample.h"

static small_world w;

static const xs_contact_list *detected(void) {
  cr_assert_geq(world_detect(&w), 0);
  return xs_collide_contacts(w.collide);
}

static xs_quat turned(double x, double y, double z) { return xs_so3_exp((xs_vec3){x, y, z}); }

/* ---- Against search; 1e4 pairs a class: tests/long/test_collide_search.c ---- */

Test(collide, elements_find_what_search_finds) {
  for (int n1 = 2; n1 <= 4; n1++)
    for (int n2 = n1; n2 <= 4; n2++)
      for (int b = 0; b < N_BENDS; b++) {
        tally t = tally_elements(&w, n1, n2, bends[b], tube_radius, 50);
        cr_expect(t.missed == 0, "%d and %d nodes, bend %g: %d of %d missed by up to %g", n1, n2,
                  bends[b], t.missed, t.pairs, t.deepest);
      }
}

Test(collide, convex_bodies_find_what_search_finds) {
  for (int i = 0; i < N_SHAPES; i++)
    for (int j = i; j < N_SHAPES; j++) {
      const xs_shape *a = &shape_samples[i].shape, *b = &shape_samples[j].shape;
      if (a->type == XS_SHAPE_PLANE || b->type == XS_SHAPE_PLANE) continue;
      if (a->type == XS_SHAPE_TORUS || b->type == XS_SHAPE_TORUS) continue;
      if (a->type == XS_SHAPE_BOX && b->type == XS_SHAPE_BOX) continue;
      tally t = tally_bodies(&w, *a, *b, 40);
      cr_expect(t.missed == 0, "%s and %s: %d of %d missed by up to %g", shape_samples[i].name,
                shape_samples[j].name, t.missed, t.pairs, t.deepest);
    }
}

/* A ball about a station of a core lies inside the tube, but need not touch its surface where n
 * points. */
static int may_lie_inside(const xs_shape *shape) {
  return shape->type == XS_SHAPE_CAPSULE || shape->type == XS_SHAPE_TORUS;
}

/* Every contact of any pair: points on both surfaces, gap along n. */
Test(collide, contacts_lie_on_both_surfaces) {
  int found = 0;
  for (int i = 0; i < N_SHAPES; i++)
    for (int j = 0; j < N_SHAPES; j++) {
      xs_shape shapes[2] = {shape_samples[i].shape, shape_samples[j].shape};
      if (shapes[0].type == XS_SHAPE_PLANE && shapes[1].type == XS_SHAPE_PLANE) continue;
      for (int trial = 0; trial < 100; trial++) {
        world_start(&w);
        for (int k = 0; k < 2; k++)
          world_body(&w, shapes[k], xs_vec3_scale(0.8, random_vec()),
                     xs_so3_exp(xs_vec3_scale(3, random_vec())), 1);
        const xs_contact_list *list = detected();
        for (int c = 0; c < list->n; c++, found++) {
          const xs_contact *contact = &list->contact[c];
          xs_vec3 p[2], n[2];
          double psi[2];
          for (int k = 0; k < 2; k++) {
            p[k] = xs_contact_surface_point(&contact->side[k], w.x);
            xs_vec3 x = xs_vec3_sub(p[k], w.x[1 + k].p);
            psi[k] =
                xs_shape_distance_gradient(&shapes[k], xs_mat3_tmul_vec(&w.x[1 + k].R, x), &n[k]);
          }
          xs_vec3 d = xs_vec3_sub(p[0], p[1]);
          for (int k = 0; k < 2; k++) {
            double inside = may_lie_inside(&shapes[k]) ? INFINITY : 1e-12;
            cr_expect(psi[k] <= 1e-9 && psi[k] >= -inside, "%s and %s, side %d: %g",
                      shape_samples[i].name, shape_samples[j].name, k + 1, psi[k]);
          }
          cr_expect_leq(fabs(xs_vec3_dot(d, contact->n) - contact->gap), 1e-12);
        }
      }
    }
  cr_log_info("%d contacts\n", found);
  cr_assert_geq(found, 5000);
}

/* Overlapping boxes: the manifold's depth is the least overlap over all directions, by search. */
Test(collide, boxes_overlap_as_deep_as_search_says) {
  const xs_shape box = shape_samples[3].shape;
  int seen = 0;
  for (int trial = 0; trial < 1000 && seen < 25; trial++) {
    world_start(&w);
    for (int k = 0; k < 2; k++)
      world_body(&w, box, xs_vec3_scale(0.9, random_vec()),
                 xs_so3_exp(xs_vec3_scale(3, random_vec())), 1);
    /* Separation along n: |n.d| minus both half-widths; its largest value, by random search. */
    double best = -INFINITY;
    xs_vec3 n = random_unit(), d = xs_vec3_sub(w.x[1].p, w.x[2].p);
    for (int k = 0; k < 3000; k++) {
      double spread = k < 1000 ? 2 : pow(10, -4 * (k - 1000) / 2000.0);
      xs_vec3 m = xs_vec3_add_scaled(n, spread, random_vec());
      m = xs_vec3_scale(1 / xs_vec3_norm(m), m);
      double s = fabs(xs_vec3_dot(m, d));
      for (int b = 1; b <= 2; b++) {
        xs_vec3 local = xs_mat3_tmul_vec(&w.x[b].R, m);
        s -= fabs(local.x) * box.half_extents.x + fabs(local.y) * box.half_extents.y +
             fabs(local.z) * box.half_extents.z;
      }
      if (s > best) best = s, n = m;
    }
    if (!(best < -1e-3 && best > -0.1)) continue;
    seen++;
    cr_assert_geq(detected()->n, 1);
    cr_expect_float_eq(world_deepest(&w), best, 2e-3, "%g, search %g", world_deepest(&w), best);
  }
  cr_assert_geq(seen, 20);
}

/* ---- Manifolds ---- */

static int contacts_of(xs_shape shape, xs_quat q, double height) {
  world_start(&w);
  world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, 0}, xs_quat_identity(), 0);
  world_body(&w, shape, (xs_vec3){0.3, 0.2, height}, q, 1);
  const xs_contact_list *list = detected();
  for (int k = 0; k < list->n; k++) {
    cr_assert_leq(fabs(list->contact[k].gap), 1e-12, "gap %g", list->contact[k].gap);
    cr_assert_float_eq(list->contact[k].n.z, -1, 1e-15); /* from side 2 to the plane, side 1 */
  }
  return list->n;
}

Test(collide, resting_bodies_have_the_contacts_that_hold_them) {
  const xs_quat lying = turned(pi / 2, 0, 0), up = xs_quat_identity();
  cr_expect_eq(contacts_of(shape_samples[0].shape, lying, 0.7), 1);
  cr_expect_eq(contacts_of(shape_samples[1].shape, lying, 0.4), 2);
  cr_expect_eq(contacts_of(shape_samples[1].shape, up, 1.2), 1);
  cr_expect_eq(contacts_of(shape_samples[2].shape, up, 0.5), 4);
  cr_expect_eq(contacts_of(shape_samples[2].shape, lying, 0.6), 2);
  cr_expect_eq(contacts_of(shape_samples[3].shape, up, 0.9), 4);
  cr_expect_eq(contacts_of(shape_samples[5].shape, up, 0.3), 4);
  cr_expect_eq(contacts_of(shape_samples[5].shape, lying, 1.1), 1);
}

/* A cylinder rolls over its stations: always two contacts that carry it, any angle. */
Test(collide, a_rolling_cylinder_always_has_its_two_lines) {
  for (int k = 0; k < 360; k++) {
    xs_quat q = xs_quat_mul(turned(pi / 2, 0, 0), turned(0, 0, k * pi / 180));
    world_start(&w);
    world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, 0}, xs_quat_identity(), 0);
    world_body(&w, shape_samples[2].shape, (xs_vec3){0, 0, 0.6}, q, 1);
    const xs_contact_list *list = detected();
    int touching[2] = {0, 0};
    for (int c = 0; c < list->n; c++)
      if (fabs(list->contact[c].gap) < 1e-7) touching[list->contact[c].side[1].core.z > 0]++;
    cr_assert(touching[0] >= 1 && touching[1] >= 1, "%d degrees: %d %d", k, touching[0],
              touching[1]);
  }
}

/* A capsule, longer than the box, lies across it: held at both edges of the face. */
Test(collide, a_capsule_across_a_box_is_held_at_both_edges) {
  world_start(&w);
  world_body(&w, (xs_shape){.type = XS_SHAPE_BOX, .half_extents = {0.5, 1, 0.2}},
             (xs_vec3){0, 0, 0}, xs_quat_identity(), 1);
  world_body(&w, (xs_shape){.type = XS_SHAPE_CAPSULE, .radius = 0.1, .half_length = 2},
             (xs_vec3){0.1, 0, 0.3}, turned(0, pi / 2, 0), 1);
  const xs_contact_list *list = detected();
  double lowest = INFINITY, highest = -INFINITY;
  for (int k = 0; k < list->n; k++) {
    double x = xs_contact_core_point(&list->contact[k].side[1], w.x).x;
    if (fabs(list->contact[k].gap) > 1e-9) continue;
    lowest = fmin(lowest, x);
    highest = fmax(highest, x);
  }
  cr_assert_float_eq(lowest, -0.5, 1e-6);
  cr_assert_float_eq(highest, 0.5, 1e-6);
}

/* A straight rod on a plane: its nodes, each once, whatever the discretization. */
Test(collide, a_straight_rod_on_a_plane_touches_with_its_nodes) {
  for (int d = 0; d < XS_N_ROD_DISCRETIZATIONS; d++) {
    world_start(&w);
    world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, 0}, xs_quat_identity(), 0);
    int first = world_rod(&w, (xs_rod_discretization)d, 6, 3, 0.05);
    for (int i = 0; i < w.rod[0].n_nodes; i++)
      w.x[first + i].p = (xs_vec3){w.arc_length[first + i], 0.2, 0.05};
    cr_expect_eq(detected()->n, w.rod[0].n_nodes, "%d: %d contacts, %d nodes", d, detected()->n,
                 w.rod[0].n_nodes);
  }
}

/* A rod laid round a sphere on a smooth curve: one contact, though an element's end is there. */
Test(collide, a_minimum_at_an_end_counts_once) {
  for (int k = 0; k <= 20; k++) {
    world_start(&w);
    world_body(&w, (xs_shape){.type = XS_SHAPE_SPHERE, .radius = 0.5}, (xs_vec3){0, 0, 0},
               xs_quat_identity(), 1);
    int first = world_rod(&w, XS_ROD_CUBIC, 4, 4, 0.05);
    for (int i = 0; i < w.rod[0].n_nodes; i++)
      w.x[first + i].p = (xs_vec3){w.arc_length[first + i] - 2 + 0.05 * (k - 10), 0.55, 0};
    /* Open ones beside it, samples of the curve, do not touch. */
    const xs_contact_list *list = detected();
    int touching = 0;
    for (int c = 0; c < list->n; c++) touching += list->contact[c].gap < 1e-4;
    cr_expect_eq(touching, 1, "shift %d: %d of %d touch", k, touching, list->n);
    cr_expect_leq(fabs(world_deepest(&w)), 1e-12);
  }
}

/* Crossed rods, near the end of a part: one contact touches; ends of the parts beside it, if they
 * are far enough from it to be kept, are open. */
Test(collide, crossed_rods_touch_once) {
  for (int d = 0; d < XS_N_ROD_DISCRETIZATIONS; d++)
    for (int part = 0; part < 12; part++) {
      world_start(&w);
      double at = 0.1 * part + 0.01;
      for (int r = 0; r < 2; r++) {
        int first = world_rod(&w, (xs_rod_discretization)d, 2, 1.2, 0.05);
        for (int i = 0; i < w.rod[r].n_nodes; i++) {
          double s = w.arc_length[first + i] - at;
          w.x[first + i].p = r ? (xs_vec3){0, s, 0.1} : (xs_vec3){s, 0, 0};
        }
      }
      const xs_contact_list *list = detected();
      int touching = 0;
      for (int k = 0; k < list->n; k++)
        touching += list->contact[k].gap < 0.2 * XS_THIN_SPACING * XS_THIN_SPACING * 0.1;
      cr_expect_eq(touching, 1, "%d, part %d: %d of %d touch", d, part, touching, list->n);
      cr_expect_leq(list->n, 5, "%d, part %d: %d contacts", d, part, list->n);
      cr_expect_leq(fabs(world_deepest(&w)), 1e-12);
    }
}

/* Long elements that lie along each other touch at least every diameter. */
Test(collide, parallel_rods_touch_all_along) {
  world_start(&w);
  int first[2];
  for (int r = 0; r < 2; r++) {
    first[r] = world_rod(&w, XS_ROD_QUADRATIC, 2, 4, 0.05);
    for (int i = 0; i < w.rod[r].n_nodes; i++)
      w.x[first[r] + i].p = (xs_vec3){w.arc_length[first[r] + i], 0.1 * r, 0};
  }
  const xs_contact_list *list = detected();
  static char covered[40];
  for (int k = 0; k < list->n; k++) {
    const xs_contact_side *side = &list->contact[k].side[0];
    covered[(int)fmin(39, 20 * (side->part + side->xi) / 1)] = 1;
    cr_assert_leq(fabs(list->contact[k].gap), 1e-9);
  }
  int gap = 0, largest = 0;
  for (int k = 0; k < 40; k++) {
    gap = covered[k] ? 0 : gap + 1;
    largest = gap > largest ? gap : largest;
  }
  cr_assert_leq(0.1 * largest, 0.1 + 1e-9, "%d of 40 pieces in a row without contact", largest);
}

/* ---- What is not tested ---- */

static int touching_pair(void) { return detected()->n > 0; }

static void two_spheres(double mass1, double mass2) {
  world_start(&w);
  world_body(&w, shape_samples[0].shape, (xs_vec3){0, 0, 0}, xs_quat_identity(), mass1);
  world_body(&w, shape_samples[0].shape, (xs_vec3){1.3, 0, 0}, xs_quat_identity(), mass2);
}

Test(collide, excluded_pairs_do_not_touch) {
  static const int exclude[1][2] = {{1, 0}};
  two_spheres(1, 1);
  cr_expect(touching_pair());
  two_spheres(1, 0);
  cr_expect(touching_pair());
  two_spheres(0, 0);
  cr_expect(!touching_pair());

  two_spheres(1, 1);
  w.world.contact.n_exclude = 1;
  w.world.contact.exclude = exclude;
  cr_expect(!touching_pair());

  two_spheres(1, 1);
  w.joint[0] = (xs_joint){.node1 = 2, .node2 = 1};
  w.world.n_joints = 1;
  cr_expect(!touching_pair());
  two_spheres(1, 1);
  w.joint[0] = (xs_joint){.node1 = 2, .node2 = 1};
  w.world.n_joints = 1;
  w.world.contact.joined = 1;
  cr_expect(touching_pair());

  /* Two shapes of one body. */
  two_spheres(1, 1);
  w.world.n_bodies = 1;
  w.body[0].n_shapes = 2;
  w.shape[1].position = (xs_vec3){1.3, 0, 0};
  cr_expect(!touching_pair());
}

/* A rod tied to a sphere by its first node, bent back on it: near the knot nothing, farther
 * along contacts. */
Test(collide, a_rod_touches_its_anchor_only_away_from_the_joint) {
  for (int joined = 0; joined < 2; joined++) {
    world_start(&w);
    int node = world_body(&w, (xs_shape){.type = XS_SHAPE_SPHERE, .radius = 1}, (xs_vec3){0, 0, 0},
                          xs_quat_identity(), 1);
    int first = world_rod(&w, XS_ROD_LINEAR, 40, 2, 0.05);
    for (int i = 0; i <= 40; i++) {
      double a = w.arc_length[first + i] / 1.05;
      w.x[first + i].p = (xs_vec3){1.05 * cos(a), 1.05 * sin(a), 0};
    }
    w.joint[0] = (xs_joint){.node1 = node, .node2 = first};
    w.world.n_joints = 1;
    w.world.contact.joined = joined;
    const xs_contact_list *list = detected();
    double nearest = INFINITY;
    for (int k = 0; k < list->n; k++)
      nearest = fmin(nearest, 0.05 * (list->contact[k].side[1].part + list->contact[k].side[1].xi));
    if (joined) cr_expect_leq(nearest, 0.05);
    if (!joined) cr_expect(nearest >= 0.25 && nearest <= 0.35, "%g", nearest);
  }
}

/* A closed loop of a coil touches the next coil, and nothing nearer than 2.5 diameters of arc. */
Test(collide, rods_touch_themselves_beyond_the_arc) {
  static const int elements[XS_N_ROD_DISCRETIZATIONS] = {400, 400, 60, 20};
  for (int d = 0; d < XS_N_ROD_DISCRETIZATIONS; d++)
    for (int on = 0; on < 2; on++) {
      world_start(&w);
      w.world.contact.self_contact = on;
      const double r = 0.5, pitch = 0.1, q = hypot(r, pitch / (2 * pi));
      int first = world_rod(&w, (xs_rod_discretization)d, elements[d], 3 * 2 * pi * q, 0.05);
      for (int i = 0; i < w.rod[0].n_nodes; i++)
        w.x[first + i] = helix(r, pitch / (2 * pi), w.arc_length[first + i]);
      const xs_contact_list *list = detected();
      if (!on) cr_expect_eq(list->n, 0);
      if (on) cr_expect_geq(list->n, 20, "%d: %d contacts", d, list->n);
      for (int k = 0; k < list->n; k++) {
        const xs_contact_side *side = list->contact[k].side;
        double l = w.rod[0].element_length;
        double arc = l * (side[1].part + side[1].xi - side[0].part - side[0].xi);
        cr_assert_float_eq(arc, 2 * pi * q, 0.1, "%d: arc %g", d, arc);
      }
    }
}

/* ---- Friction and restitution ---- */

Test(collide, surfaces_come_from_materials_or_from_the_scene) {
  xs_material material[2] = {{.friction = 0.2, .restitution = NAN},
                             {.friction = 0.8, .restitution = 0.3}};
  two_spheres(1, 1);
  w.world.materials = material;
  w.world.n_materials = 2;
  w.world.contact.restitution = 0.1;
  w.shape[0].material = 0;
  w.shape[1].material = 1;
  const xs_contact *contact = &detected()->contact[0];
  cr_expect_float_eq(contact->friction, 0.4, 1e-15);
  cr_expect_float_eq(contact->restitution, 0.3, 0);

  two_spheres(1, 1);
  w.world.contact.restitution = 0.1;
  contact = &detected()->contact[0];
  cr_expect_float_eq(contact->friction, 0.5, 1e-15);
  cr_expect_float_eq(contact->restitution, 0.1, 0);
}

/* ---- Order, matching, growth ---- */

/* Many small shapes in a heap. */
static void heap(int n, double room) {
  world_start(&w);
  world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, -room}, xs_quat_identity(), 0);
  for (int k = 0; k < n; k++) {
    xs_shape shape = shape_samples[k % 4].shape;
    world_body(&w, shape, xs_vec3_scale(room, random_vec()),
               xs_so3_exp(xs_vec3_scale(3, random_vec())), 1);
  }
}

static int same_contact(const xs_contact *a, const xs_contact *b) {
  return a->gap == b->gap && a->side[0].owner == b->side[0].owner &&
         a->side[1].owner == b->side[1].owner && memcmp(&a->n, &b->n, sizeof a->n) == 0 &&
         memcmp(&a->side[0].core, &b->side[0].core, sizeof a->n) == 0 &&
         memcmp(&a->start, &b->start, sizeof a->n) == 0;
}

Test(collide, lists_depend_on_poses_alone) {
  static xs_contact first[20000];
  static xs_pose here[WORLD_NODES_MAX];
  heap(100, 2);
  const xs_contact_list *list = detected();
  int n = list->n;
  cr_assert(n > 100 && n < 20000, "%d", n);
  for (int k = 0; k < n; k++) first[k] = list->contact[k];
  for (int k = 1; k < n; k++) {
    const xs_contact_side *a = first[k - 1].side, *b = first[k].side;
    cr_assert(a[0].owner < b[0].owner || (a[0].owner == b[0].owner && a[1].owner <= b[1].owner));
  }

  /* Other poses in between, then a new detector. */
  memcpy(here, w.x, sizeof here);
  for (int i = 0; i < w.world.n_nodes; i++) w.x[i].p = xs_vec3_scale(0.7, random_vec());
  detected();
  memcpy(w.x, here, sizeof here);
  list = detected();
  cr_assert_eq(list->n, n);
  for (int k = 0; k < n; k++) cr_assert(same_contact(&first[k], &list->contact[k]), "%d", k);
  w.collide = NULL;
  list = detected();
  cr_assert_eq(list->n, n);
  for (int k = 0; k < n; k++) cr_assert(same_contact(&first[k], &list->contact[k]), "%d", k);
}

/* A heap that is far denser than the buffers expect: found after growing, nothing is lost. */
Test(collide, buffers_grow_and_nothing_is_lost) {
  heap(150, 0.5);
  cr_assert_eq(xs_collide_create(&w.world, &w.arena, &w.collide, &w.report), XS_OK);
  int capacity = xs_collide_capacity(w.collide);
  cr_assert_eq(xs_collide_detect(w.collide, w.x, w.x), XS_COLLIDE_FULL);
  cr_assert_eq(xs_collide_contacts(w.collide)->n, 0);
  cr_assert_gt(world_detect(&w), 0);
  const xs_contact_list *list = xs_collide_contacts(w.collide);
  cr_assert_gt(xs_collide_capacity(w.collide), capacity);
  cr_assert_gt(list->n, 150 * 149 / 4, "%d contacts", list->n);
  cr_assert(!xs_collide_tight(w.collide));
}

/* A box slides and turns a little on a plane: its corners are matched, whatever comes between. */
Test(collide, contacts_are_matched_by_place) {
  world_start(&w);
  world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, 0}, xs_quat_identity(), 0);
  world_body(&w, shape_samples[3].shape, (xs_vec3){0, 0, 0.9}, xs_quat_identity(), 1);
  xs_contact_list *list = (xs_contact_list *)detected();
  cr_assert_eq(list->n, 4);
  for (int k = 0; k < 4; k++) {
    cr_assert_eq(list->contact[k].match, -1);
    for (int r = 0; r < 3; r++) list->contact[k].lambda[r] = 10 * k + r + 1;
  }
  xs_vec3 last[4];
  for (int k = 0; k < 4; k++) last[k] = list->contact[k].side[1].core;

  w.x[2] = pose_of((xs_vec3){0.3, 0.1, 0.9}, turned(0, 0, 0.2));
  list = (xs_contact_list *)detected();
  cr_assert_eq(list->n, 4);
  for (int k = 0; k < 4; k++) {
    int m = list->contact[k].match;
    cr_assert(m >= 0 && m < 4);
    cr_assert_leq(xs_vec3_norm(xs_vec3_sub(last[m], list->contact[k].side[1].core)), 1e-14);
    cr_assert_float_eq(list->contact[k].lambda[0], 10 * m + 1, 0);
    cr_assert_float_eq(list->contact[k].lambda[1], 10 * m + 2, 1e-12);
    cr_assert_float_eq(list->contact[k].lambda[2], 10 * m + 3, 1e-12);
  }

  /* Tipped on one edge: two are left, each matched with its own corner. */
  w.x[2] = pose_of((xs_vec3){0.3, 0.1, 0.95}, turned(0, 0.1, 0));
  for (int k = 0; k < 4; k++) last[k] = list->contact[k].side[1].core;
  list = (xs_contact_list *)detected();
  for (int k = 0; k < list->n; k++) {
    int m = list->contact[k].match;
    cr_assert_leq(xs_vec3_norm(xs_vec3_sub(last[m], list->contact[k].side[1].core)), 1e-14);
  }
}

/* From the corners of one side to those of the other: nothing goes on. */
Test(collide, contacts_elsewhere_are_new) {
  for (int side = 0; side < 2; side++) {
    if (side == 0) {
      world_start(&w);
      world_body(&w, (xs_shape){.type = XS_SHAPE_PLANE}, (xs_vec3){0, 0, 0}, xs_quat_identity(), 0);
      world_body(&w, shape_samples[3].shape, (xs_vec3){0, 0, 0.94}, xs_quat_identity(), 1);
    }
    w.x[2] = pose_of(w.x[2].p, turned(0, side ? -0.1 : 0.1, 0));
    const xs_contact_list *list = detected();
    cr_assert_eq(list->n, 2, "%d", list->n);
    for (int k = 0; k < 2; k++) {
      cr_assert_eq(list->contact[k].match, -1);
      cr_assert_eq(list->contact[k].lambda[0], 0);
      list->contact[k].lambda[0] = 1;
    }
  }
}

/* ---- Broad phase ---- */

Test(collide, broad_phase_finds_all_pairs_of_boxes) {
  enum { N = 400 };
  static xs_broad_box box[N];
  xs_arena arena = {0};
  xs_broad broad;
  cr_assert(xs_broad_create(&broad, &arena, N));
  for (int trial = 0; trial < 60; trial++) {
    for (int i = 0; i < N; i++) {
      double size = pow(10, (trial % 3) * uniform()); /* trial % 3: how much sizes differ */
      xs_vec3 p = xs_vec3_scale(trial % 2 ? 10 : 40, random_vec());
      xs_vec3 e = {size * (1.1 + uniform()), size * (1.1 + uniform()), size * (1.1 + uniform())};
      box[i] = (xs_broad_box){xs_vec3_sub(p, e), xs_vec3_add(p, e)};
    }
    if (trial % 5 == 0) {
      box[3] = (xs_broad_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
      box[7] = (xs_broad_box){{-1e300, 0, 0}, {1e300, 1, 1}};
      box[9].lo.x = NAN;
    }
    while (!xs_broad_find(&broad, box, NULL, NULL))
      cr_assert(xs_broad_reserve(&broad, &arena, 2 * broad.entries_needed, 2 * broad.pairs_needed));

    int at = 0;
    for (int i = 0; i < N; i++)
      for (int j = i + 1; j < N; j++) {
        if (trial % 5 == 0 && (i == 9 || j == 9)) continue;
        const xs_broad_box *a = &box[i], *b = &box[j];
        if (a->lo.x > b->hi.x || b->lo.x > a->hi.x || a->lo.y > b->hi.y || b->lo.y > a->hi.y ||
            a->lo.z > b->hi.z || b->lo.z > a->hi.z)
          continue;
        cr_assert(at < broad.n_pairs && broad.pair[at].a == i && broad.pair[at].b == j,
                  "trial %d: %d, %d missing", trial, i, j);
        at++;
      }
    cr_assert_eq(at, broad.n_pairs);
  }
  xs_arena_free(&arena);
}

/* A list is no worse for margins: pairs that come near are in it before they touch. */
Test(collide, fast_bodies_are_seen_before_they_touch) {
  two_spheres(1, 1);
  detected();
  w.x_n[1] = w.x[1], w.x_n[2] = w.x[2];
  w.x[2].p.x = 1.4 + 0.3; /* gap 0.3, and 0.2 from 1.9 in this substep */
  w.x_n[2].p.x = 1.9;
  cr_assert_geq(world_detect_from(&w, w.x_n), 0);
  const xs_contact_list *list = xs_collide_contacts(w.collide);
  cr_assert_eq(list->n, 1);
  cr_assert_float_eq(list->contact[0].gap, 0.3, 1e-15);
  w.x_n[2].p.x = 1.8; /* only 0.1 */
  cr_assert_geq(world_detect_from(&w, w.x_n), 0);
  cr_assert_eq(xs_collide_contacts(w.collide)->n, 0);
}
