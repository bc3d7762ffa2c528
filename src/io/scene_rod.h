/* What the files of the rods' builder share.
 *
 *   scene_rod.c          a rod: elements, rest, damping, velocities
 *   scene_rod_line.c     centrelines with a closed form: straight, helix, arc
 *   scene_rod_curve.c    a smooth curve through points
 *   scene_rod_section.c  sections, moduli, shear correction: stiffness and rotary inertia
 *   scene_rod_node.c     nodes: inertia, start, ends; nodes named from elsewhere
 *
 * A line is a centreline in the frame of the rod's pose, by arc length s: frames [d1 d2 d3]
 * with d3 the tangent, and their curvature u = (R^T R')^vee. */
#ifndef XS_IO_SCENE_ROD_H
#define XS_IO_SCENE_ROD_H

#include "io/scene_build.h"

typedef enum xs_rod_line_type {
  XS_ROD_LINE_STRAIGHT,
  XS_ROD_LINE_HELIX,
  XS_ROD_LINE_ARC,
  XS_ROD_LINE_CURVE
} xs_rod_line_type;

typedef struct xs_rod_curve xs_rod_curve;

typedef struct xs_rod_line {
  xs_rod_line_type type;
  double length;
  double radius, rise; /* helix: rise along the axis for each radian; arc: radius */
  xs_rod_curve *curve;
} xs_rod_line;

/* A place on a line. */
typedef struct xs_rod_place {
  xs_frame frame;
  xs_vec3 bend;  /* u, 1/m */
  double turned; /* angle that the frame has turned by from the start, along the line, rad */
} xs_rod_place;

/* Reads the value of "shape"; 0 after an error, which is reported. */
int xs_scene_rod_line_read(xs_build *build, const xs_json *value, xs_rod_line *line);

/* The place at arc length s in [0, length]. Curves walk along: s must not decrease from call
 * to call, except after a rewind. */
xs_rod_place xs_scene_rod_line_at(xs_rod_line *line, double s);
void xs_scene_rod_line_rewind(xs_rod_line *line);

/* A curve through the points of an array; NULL after an error. */
xs_rod_curve *xs_scene_rod_curve_create(xs_build *build, const xs_json *points, double *length);
xs_rod_place xs_scene_rod_curve_at(xs_rod_curve *curve, double s);
void xs_scene_rod_curve_rewind(xs_rod_curve *curve);

/* Section, material and stiffness of a rod together: K, the mass and the rotary inertia of a
 * unit length. */
typedef struct xs_rod_section {
  xs_vec3 K_shear, K_bend; /* N, N m^2 */
  double mass;             /* rho A, kg/m */
  xs_vec3 moment;          /* rho (I1, I2, I1 + I2), kg m */
} xs_rod_section;

/* 0 after an error, which is reported. */
int xs_scene_rod_section_read(xs_build *build, const xs_json *rod, xs_rod_section *section);

/* Masses and inertias of a rod's nodes; 0 if they are out of range. */
int xs_scene_rod_node_inertia(xs_build *build, const xs_json *value, const xs_rod *rod,
                              const xs_rod_section *section);

#endif
