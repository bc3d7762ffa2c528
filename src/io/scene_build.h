/* From a checked tree of parameters to a world.
 *
 * The reader has seen to it that every key is there or has no default, and that every value
 * has the right form; what is wrong stands as null and is passed over here, so that the rest
 * is still checked. The builder looks at what only makes sense together: masses, inertias,
 * frames, functions of time. Its parts are files by noun (scene_body.c, scene_joint.c, ..)
 * and share the xs_build below. All errors are reported; a part with an error is left
 * invalid and what depends on it is passed over in silence. */
#ifndef XS_IO_SCENE_BUILD_H
#define XS_IO_SCENE_BUILD_H

#include "io/json.h"
#include "io/scene_names.h"
#include "math/so3.h"
#include "model/world.h"

/* A node while it is built. A frame (r, q) here is a place in another frame. */
typedef struct xs_build_node {
  int valid;
  int moves;        /* free to move: neither ground nor fixed nor prescribed */
  xs_frame body;    /* the scene's body frame in the world, t = 0, its motion included */
  xs_frame node;    /* the node frame in the world, t = 0, its motion included */
  xs_frame in_body; /* the node frame in the body frame: (center_of_mass, q_principal) */
} xs_build_node;

/* The box that holds the scene at t = 0; empty at first: lo = inf, hi = -inf. */
typedef struct xs_build_box {
  xs_vec3 lo, hi;
} xs_build_box;

typedef struct xs_build {
  const xs_json *tree; /* root of the parameters */
  const xs_names *names;
  xs_arena *arena;
  xs_report *report;
  xs_world *world;
  xs_build_node *node;  /* n_nodes, ground first */
  xs_node_start *start; /* n_nodes; world->start where there are rods */
  xs_build_box box;
  int out_of_memory;
} xs_build;

/* Builds everything. XS_SCENE when something makes no sense, XS_INTERNAL without memory.
 * A faulty tree is only looked through for more errors, and *world stays NULL. */
xs_status xs_scene_build_world(const xs_json *tree, int faulty, const xs_names *names,
                               xs_arena *arena, xs_world **world, xs_report *report);

/* ---- Parts, in the order in which xs_scene_build_world calls them ---- */

void xs_scene_build_solver(xs_build *build);
void xs_scene_build_bodies(xs_build *build);
void xs_scene_build_rods(xs_build *build);
void xs_scene_build_joints(xs_build *build);
/* The joints of clamped and pinned ends of rods, behind those of the scene. */
void xs_scene_build_ends(xs_build *build);
void xs_scene_build_loads(xs_build *build);
void xs_scene_build_contact(xs_build *build);
void xs_scene_build_checks(xs_build *build);

/* Limits, target, compliance and damping of a joint whose type is known. */
void xs_scene_build_joint_drive(xs_build *build, const xs_json *value, xs_joint *joint);

/* Refuses ways to solve that do not go together, or not with the joints. */
void xs_scene_build_check_solver(xs_build *build);

/* Refuses contact where a scene cannot have it; needs all parts. */
void xs_scene_build_check_contact(xs_build *build);

/* Warns of joints that are open or outside their limits at t = 0; needs world->size. */
void xs_scene_build_warn_start(xs_build *build);

/* ---- What the parts share ---- */

/* Reports at a value of the tree, with its path. */
void xs_scene_build_error(xs_build *build, const xs_json *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void xs_scene_build_warning(xs_build *build, const xs_json *value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* count zeroed items from the arena; NULL without memory, which is reported. */
void *xs_scene_build_alloc(xs_build *build, int count, size_t size);
#define XS_BUILD_NEW(build, type, count) \
  ((type *)xs_scene_build_alloc((build), (count), sizeof(type)))

/* A list of the scene; an empty one where the list itself was faulty. */
const xs_json *xs_scene_build_list(const xs_build *build, const char *key);

/* Members that are there by the table: required, or with a default. */
double xs_scene_build_number(const xs_json *object, const char *key);
int xs_scene_build_integer(const xs_json *object, const char *key);
const char *xs_scene_build_string(const xs_json *object, const char *key);
xs_vec3 xs_scene_build_vec3(const xs_json *array);

/* Index among the type's words of the table of the word at object.key. */
int xs_scene_build_word(const xs_json *object, const char *key, const char *const *words);

/* Node of a body's name, of "ground", or of an object with rod and node; -1 where the rod has
 * no such node, which is reported, or is faulty. */
int xs_scene_build_node_of(xs_build *build, const xs_json *value);

/* What messages call a node: "\"arm\"", "node 3 of rod \"beam\"". Returns buffer. */
const char *xs_scene_build_node_text(const xs_build *build, int node, char *buffer, size_t size);

/* Whether bodies, joints and rods are few and short enough for the memory that there is, estimated
 * before any of it is taken; reports it where not. */
int xs_scene_build_check_memory(xs_build *build);

/* Nodes of a rod of the list, 0 for a faulty one; joints that hold ends of rods. */
int xs_scene_build_count_rod_nodes(const xs_json *value);
int xs_scene_build_count_ends(const xs_build *build);

/* The orientation of an object of the table's form; 0 if it makes no sense. */
int xs_scene_build_orientation(xs_build *build, const xs_json *value, xs_quat *q);

/* Unit vector of an axis; 0 if it is zero. */
int xs_scene_build_axis(xs_build *build, const xs_json *value, xs_vec3 *axis);

/* A frame from an object with position and orientation; 0 if it makes no sense. */
int xs_scene_build_frame(xs_build *build, const xs_json *value, xs_frame *frame);

/* A function of time; NULL stands for the constant 0 and after an error, which is
 * reported. */
const xs_timefn *xs_scene_build_timefn(xs_build *build, const xs_json *value);
xs_timefn3 xs_scene_build_timefn3(xs_build *build, const xs_json *value);

/* The same for places where NULL stands for "not given": never NULL but without memory. */
const xs_timefn *xs_scene_build_timefn_given(xs_build *build, const xs_json *value);

/* A prescribed motion of a frame whose carrier has scene axes -> node axes q_carrier; NULL
 * after an error or without memory, which are reported. */
const xs_motion *xs_scene_build_motion(xs_build *build, const xs_json *value, xs_quat q_carrier);

/* Where a motion (NULL: none) takes a frame of its carrier's node at t = 0. */
xs_frame xs_scene_build_moved(const xs_motion *motion, xs_frame frame);

/* Whether times increase strictly; reports it where they do not. */
int xs_scene_build_increases(xs_build *build, const xs_json *array);

/* The numbers of an array. NULL without memory. */
double *xs_scene_build_numbers(xs_build *build, const xs_json *array);

void xs_scene_build_box_add(xs_build_box *box, xs_vec3 center, xs_vec3 half_extents);

/* ---- Frames ---- */

/* b, given in frame a, in the frame that a is given in. */
static inline xs_frame xs_frame_compose(xs_frame a, xs_frame b) {
  const xs_mat3 A = xs_so3_matrix(a.q);
  return (xs_frame){xs_vec3_add(a.r, xs_mat3_mul_vec(&A, b.r)), xs_quat_mul(a.q, b.q)};
}

/* b in frame a, both given in the same frame. */
static inline xs_frame xs_frame_relative(xs_frame a, xs_frame b) {
  const xs_mat3 A = xs_so3_matrix(a.q);
  return (xs_frame){xs_mat3_tmul_vec(&A, xs_vec3_sub(b.r, a.r)),
                    xs_quat_mul(xs_quat_conj(a.q), b.q)};
}

#endif
