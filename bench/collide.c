/* Time of detection: a pair of every class, and heaps of spheres.
 *
 *   collide     measures; appends to bench/results/collide.csv
 *
 * Pairs: 400 copies of two objects that nearly touch, far from the other copies, each turned
 * otherwise; a figure is the whole of xs_collide_detect (boxes, broad phase, narrow phase,
 * completing contacts, matching) by the number of copies. Elements are 1 m long, bend by 1 rad and
 * have a radius of 0.05 m, 7 parts each; "short": 0.34 m, one part. Coils: a rod that touches
 * itself all along, all of detection. Heaps: spheres of equal
 * density of packing, all of detection and the broad phase alone, by the number of spheres; the
 * ratio of 10 000 to 1 000 tells whether the cost is linear. Processor time. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collide/broad.h"
#include "collide/collide.h"
#include "collide/object.h"
#include "math/so3.h"
#include "table.h"

static const char *const table_path = "bench/results/collide.csv";

enum { COPIES = 400, BODIES_MAX = 10000, NODES_MAX = 1 + BODIES_MAX, REPETITIONS = 21 };

static uint64_t seed = 7;
static double uniform(void) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)seed / 9223372036854775808.0;
}
static xs_vec3 random_vec(void) {
  double x = uniform(), y = uniform();
  return (xs_vec3){x, y, uniform()};
}

/* ---- Worlds ------------------------------------------------------------------------ */

static xs_world world;
static xs_body body[BODIES_MAX];
static xs_shape shape[BODIES_MAX];
static xs_rod rod[2 * COPIES];
static xs_inertia inertia[NODES_MAX];
static double arc_length[NODES_MAX];
static xs_pose x[NODES_MAX];

static void start(void) {
  world = (xs_world){.n_nodes = 1,
                     .inertia = inertia,
                     .bodies = body,
                     .rods = rod,
                     .contact = {.enabled = 1, .friction = 0.5, .self_contact = 1}};
  for (int i = 0; i < NODES_MAX; i++) inertia[i].inv_mass = 1;
}

static xs_pose pose(xs_vec3 p, xs_quat q) { return (xs_pose){p, q, xs_so3_matrix(q)}; }

static void add_body(xs_shape s, xs_vec3 p, xs_quat q) {
  int b = world.n_bodies++, node = world.n_nodes++;
  s.orientation = xs_quat_identity();
  s.material = -1;
  shape[b] = s;
  body[b] = (xs_body){
      .node = node, .q_principal = xs_quat_identity(), .n_shapes = 1, .shapes = &shape[b]};
  x[node] = pose(p, q);
}

/* One element on an arc of 1 rad that touches the z axis' point p in its middle, bulging along
 * -z, in the plane of z and the direction at `angle`. */
static void add_element(int n, double radius, xs_vec3 p, double angle, double up) {
  static const xs_rod_discretization of[5] = {[2] = XS_ROD_LINEAR, XS_ROD_QUADRATIC, XS_ROD_CUBIC};
  int first = world.n_nodes;
  xs_rod *r = &rod[world.n_rods++];
  *r = (xs_rod){.discretization = of[n],
                .n_elements = 1,
                .first_node = first,
                .n_nodes = n,
                .element_length = 1,
                .arc_length = &arc_length[first],
                .contact_radius = radius,
                .material = -1};
  for (int i = 0; i < n; i++) {
    double s = (double)i / (n - 1), a = s - 0.5;
    xs_vec3 d = {sin(a) * cos(angle), sin(a) * sin(angle), up * (1 - cos(a))};
    if (n == 2) d.z = 0;
    arc_length[first + i] = s;
    x[first + i] = pose(xs_vec3_add(p, d), xs_so3_exp((xs_vec3){0, a, 0}));
  }
  world.n_nodes += n;
}

/* ---- Measuring --------------------------------------------------------------------- */

static double processor_time(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *left, const void *right) {
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* us by count, of sorted seconds. */
static figure reduce(double seconds[REPETITIONS], int count) {
  qsort(seconds, REPETITIONS, sizeof(double), compare);
  return (figure){1e6 * seconds[0] / count, 1e6 * seconds[REPETITIONS / 2] / count};
}

/* Detection of the world at x, by count; *contacts: how many it found. */
static xs_status measure(int count, figure *value, int *contacts, xs_report *report) {
  static double seconds[REPETITIONS];
  xs_arena arena = {0};
  xs_collide *collide = NULL;
  xs_status status = xs_collide_create(&world, &arena, &collide, report);
  while (status == XS_OK && xs_collide_detect(collide, x, x) == XS_COLLIDE_FULL)
    status = xs_collide_grow(collide, report);
  for (int r = 0; r < REPETITIONS && status == XS_OK; r++) {
    const double begin = processor_time();
    xs_collide_detect(collide, x, x);
    seconds[r] = processor_time() - begin;
  }
  if (status == XS_OK) {
    *value = reduce(seconds, count);
    *contacts = xs_collide_contacts(collide)->n;
  }
  xs_arena_free(&arena);
  return status;
}

static const struct {
  const char *name;
  xs_shape shape;
  double out; /* from its centre to its surface along z, when it stands as given */
} shapes[] = {
    {"sphere", {.type = XS_SHAPE_SPHERE, .radius = 0.5}, 0.5},
    {"capsule", {.type = XS_SHAPE_CAPSULE, .radius = 0.3, .half_length = 0.5}, 0.8},
    {"cylinder", {.type = XS_SHAPE_CYLINDER, .radius = 0.5, .half_length = 0.5}, 0.5},
    {"box", {.type = XS_SHAPE_BOX, .half_extents = {0.5, 0.5, 0.5}}, 0.5},
    {"torus", {.type = XS_SHAPE_TORUS, .major_radius = 0.6, .minor_radius = 0.2}, 0.2},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

/* Over the middle of the other, or over the tube of a torus. */
static xs_vec3 over(int lower, int upper, double height) {
  int torus = N_SHAPES - 1, one_torus = (lower == torus) != (upper == torus);
  return (xs_vec3){one_torus ? shapes[torus].shape.major_radius : 0, 0, height};
}

static xs_vec3 place(int copy) {
  const int column = copy % 20, line = copy / 20;
  return (xs_vec3){5.0 * column, 5.0 * line, 0};
}

static xs_status row(FILE *table, const char *name, int count, xs_report *report) {
  figure value = {0, 0};
  int contacts = 0;
  xs_status status = measure(count, &value, &contacts, report);
  if (status != XS_OK) return status;
  bench_table_row(table, name, value, 0);
  printf("%56s %17.2f contacts\n", "", (double)contacts / count);
  return XS_OK;
}

static xs_status measure_pairs(FILE *table, xs_report *report) {
  char name[64];
  xs_status status = XS_OK;
  for (int i = 0; i < N_SHAPES; i++)
    for (int j = i; j < N_SHAPES && status == XS_OK; j++) {
      start();
      for (int k = 0; k < COPIES; k++) {
        xs_vec3 p = place(k), up = over(i, j, shapes[i].out + shapes[j].out - 1e-3);
        add_body(shapes[i].shape, p, xs_so3_exp((xs_vec3){0.01 * uniform(), 0, 3 * uniform()}));
        add_body(shapes[j].shape, xs_vec3_add(p, up),
                 xs_so3_exp((xs_vec3){0.01 * uniform(), 0, 3 * uniform()}));
      }
      snprintf(name, sizeof name, "%s and %s", shapes[i].name, shapes[j].name);
      status = row(table, name, COPIES, report);
    }
  for (int n = 2; n <= 4; n++)
    for (int i = 0; i < N_SHAPES && status == XS_OK; i++) {
      start();
      for (int k = 0; k < COPIES; k++)
        add_body(shapes[i].shape, place(k), xs_so3_exp((xs_vec3){0, 0, 3 * uniform()}));
      for (int k = 0; k < COPIES; k++)
        add_element(n, 0.05, xs_vec3_add(place(k), over(i, -1, shapes[i].out + 0.05 - 1e-3)),
                    3 * uniform(), 1);
      snprintf(name, sizeof name, "element of %d nodes and %s", n, shapes[i].name);
      status = row(table, name, COPIES, report);
    }
  for (int shorter = 0; shorter < 2; shorter++)
    for (int n = 2; n <= 4 && status == XS_OK; n++) {
      double radius = shorter ? 0.34 : 0.05;
      start();
      for (int k = 0; k < COPIES; k++) {
        double angle = 3 * uniform();
        add_element(n, radius, place(k), angle, -1);
        add_element(n, radius, xs_vec3_add(place(k), (xs_vec3){0, 0, 2 * radius - 1e-3}),
                    angle + 0.3 + fabs(uniform()), 1);
      }
      snprintf(name, sizeof name, "two elements of %d nodes%s", n, shorter ? ", short" : "");
      status = row(table, name, COPIES, report);
    }
  return status;
}

/* n spheres of radius 0.5 in a cube with about 1.2 m^3 for each. */
static void heap(int n) {
  double half = 0.5 * cbrt(1.2 * n);
  start();
  for (int k = 0; k < n; k++)
    add_body(shapes[0].shape, xs_vec3_scale(half, random_vec()), xs_quat_identity());
}

/* The broad phase alone, on the boxes of the world. */
static xs_status measure_broad(int n, figure *value, xs_report *report) {
  static double seconds[REPETITIONS];
  xs_arena arena = {0};
  xs_broad broad;
  xs_object *object = XS_ARENA_NEW(&arena, xs_object, n);
  xs_broad_box *box = XS_ARENA_NEW(&arena, xs_broad_box, n);
  int good =
      object && box && xs_object_list(&world, &arena, object) && xs_broad_create(&broad, &arena, n);
  for (int i = 0; good && i < n; i++) xs_object_move(&object[i], x, x, &box[i]);
  while (good && !xs_broad_find(&broad, box, NULL, NULL))
    good = xs_broad_reserve(&broad, &arena, broad.entries_needed, 2 * broad.pairs_needed);
  for (int r = 0; good && r < REPETITIONS; r++) {
    const double begin = processor_time();
    xs_broad_find(&broad, box, NULL, NULL);
    seconds[r] = processor_time() - begin;
  }
  if (good) *value = reduce(seconds, n);
  xs_arena_free(&arena);
  return good ? XS_OK : xs_report_error(report, XS_INTERNAL, NULL, "out of memory");
}

static xs_status measure_heaps(FILE *table, xs_report *report) {
  static const int sizes[2] = {1000, 10000};
  figure broad[2] = {{0, 0}}, all[2] = {{0, 0}};
  for (int k = 0; k < 2; k++) {
    char name[64];
    int contacts;
    heap(sizes[k]);
    xs_status status = measure_broad(sizes[k], &broad[k], report);
    if (status == XS_OK) status = measure(sizes[k], &all[k], &contacts, report);
    if (status != XS_OK) return status;
    snprintf(name, sizeof name, "%d spheres, broad phase, a sphere", sizes[k]);
    bench_table_row(table, name, broad[k], 0);
    snprintf(name, sizeof name, "%d spheres, all of detection, a sphere", sizes[k]);
    bench_table_row(table, name, all[k], 0);
    printf("%56s %17.2f contacts a sphere\n", "", (double)contacts / sizes[k]);
  }
  printf("%56s %17.2f broad phase, %.2f all: a sphere of 10000 by one of 1000\n", "",
         broad[1].min / broad[0].min, all[1].min / all[0].min);
  return XS_OK;
}

/* A rod 10 m long, 0.1 m thick, wound to a coil whose turns touch, as a plectoneme's strands do. */
static xs_status measure_coils(FILE *table, xs_report *report) {
  static const struct {
    const char *name;
    xs_rod_discretization discretization;
    int elements[3], per_element;
  } cases[] = {{"linear", XS_ROD_LINEAR, {30, 60, 120}, 1},
               {"quadratic", XS_ROD_QUADRATIC, {15, 30, 60}, 2},
               {"cubic", XS_ROD_CUBIC, {10, 20, 40}, 3}};
  const double r = 0.5, c = 0.1 / (2 * XS_PI), q = sqrt(r * r + c * c), length = 10;
  xs_status status = XS_OK;
  for (int d = 0; d < 3; d++)
    for (int k = 0; k < 3 && status == XS_OK; k++) {
      const int n = cases[d].elements[k], n_nodes = n * cases[d].per_element + 1;
      char name[64];
      start();
      rod[world.n_rods++] = (xs_rod){.discretization = cases[d].discretization,
                                     .n_elements = n,
                                     .first_node = 1,
                                     .n_nodes = n_nodes,
                                     .element_length = length / n,
                                     .arc_length = &arc_length[1],
                                     .contact_radius = 0.05,
                                     .material = -1};
      world.n_nodes = 1 + n_nodes;
      for (int i = 1; i <= n_nodes; i++) {
        arc_length[i] = length * (i - 1) / (n_nodes - 1);
        const double t = arc_length[i] / q;
        x[i] = pose((xs_vec3){r * cos(t), r * sin(t), c * t}, xs_so3_exp((xs_vec3){0, 0, 0.1 * t}));
      }
      snprintf(name, sizeof name, "coil, %d %s elements", n, cases[d].name);
      status = row(table, name, 1, report);
    }
  return status;
}

int main(int argc, char **argv) {
  static xs_report report;
  if (argc > 1) {
    fprintf(stderr, "usage: %s, without arguments\n", argv[0]);
    return XS_USAGE;
  }
  FILE *table = bench_table_open(table_path, &report);
  xs_status status = table ? XS_OK : XS_IO;
  bench_table_heading("us");
  if (status == XS_OK) status = measure_pairs(table, &report);
  if (status == XS_OK) status = measure_coils(table, &report);
  if (status == XS_OK) status = measure_heaps(table, &report);
  if (table) {
    const int written = !ferror(table);
    if ((fclose(table) != 0 || !written) && status == XS_OK)
      status =
          xs_report_error(&report, XS_IO, &(xs_place){.file = table_path}, "cannot be written");
  }
  xs_report_print(&report, stderr, XS_REPORT_AS_TEXT, 0);
  return (int)status;
}
