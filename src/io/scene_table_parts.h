/* What the files of the table share: its shorthands, and the types that several objects use.
 *
 *   scene_table_types.c  numbers, vectors, orientations, functions of time, motions
 *   scene_table_joint.c  joints
 *   scene_table_rod.c    rods, and what names their nodes
 *   scene_table.c        all other objects, and the scene
 * For these files only. */
#ifndef XS_IO_SCENE_TABLE_PARTS_H
#define XS_IO_SCENE_TABLE_PARTS_H

#include <math.h>
#include <stddef.h>

#include "io/scene_table.h"

/* Defaults that several keys share. */
#define REQUIRED   xs_scene_required
#define NO_DEFAULT NULL
#define ORIGIN     "[0, 0, 0]"
#define UNTURNED   "{\"quaternion\": [1, 0, 0, 0]}"

/* Units of what is no quantity, and keys that do not depend on a type. */
#define NO_UNIT NULL
#define ALWAYS  NULL

/* Ranges. */
#define ANY \
  { -INFINITY, INFINITY, 0, 0 }
#define POSITIVE \
  { 0, INFINITY, 1, 0 }
#define NOT_NEGATIVE \
  { 0, INFINITY, 0, 0 }
#define BETWEEN(lo, hi) \
  { (lo), (hi), 0, 0 }

#define END \
  { NULL, NULL, NULL, NULL, {0, 0, 0, 0}, NULL, NULL }
#define WORDS(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define OPTIONS(...) ((const xs_type *const[]){__VA_ARGS__, NULL})
/* A type of nothing but an object. */
#define FORM(of) \
  { .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &(of) }

/* ---- Types ---- */

extern const xs_type xs_scene_table_number, xs_scene_table_boolean;
extern const xs_type xs_scene_table_angle;
extern const xs_type xs_scene_table_vec3;
extern const xs_type xs_scene_table_orientation;

/* A length or a force over time; an angle over time, whose numbers may be {"deg": x}. */
extern const xs_type xs_scene_table_function, xs_scene_table_function3;
extern const xs_type xs_scene_table_angle_function, xs_scene_table_angle_function3;

/* {"translation", "rotation"} over time. */
extern const xs_type xs_scene_table_motion;

/* A rod's name; "start", "end" or an index; the list of rods. */
extern const xs_type xs_scene_table_rod_reference, xs_scene_table_rod_node, xs_scene_table_rods;

/* A body's name, "ground" or {"rod", "node"}; the list of joints. */
extern const xs_type xs_scene_table_end, xs_scene_table_joints;

/* Short names, as the lines of the table need them. */
#define number          xs_scene_table_number
#define boolean         xs_scene_table_boolean
#define angle           xs_scene_table_angle
#define vec3            xs_scene_table_vec3
#define orientation     xs_scene_table_orientation
#define function        xs_scene_table_function
#define function3       xs_scene_table_function3
#define angle_function  xs_scene_table_angle_function
#define angle_function3 xs_scene_table_angle_function3
#define motion          xs_scene_table_motion
#define end_reference   xs_scene_table_end
#define joints          xs_scene_table_joints
#define rod_reference   xs_scene_table_rod_reference
#define rod_node        xs_scene_table_rod_node
#define rods            xs_scene_table_rods

#endif
