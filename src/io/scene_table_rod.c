/* The rods of the table (scene_table.h): shape of the centreline, section, stiffness, rest,
 * ends, the rod itself; and what names a node of a rod from elsewhere. */
#include "io/scene_table_parts.h"

static const xs_type integer = {.kind = XS_TYPE_INTEGER, .phrase = "an integer"};

/* ---- Nodes from elsewhere ---- */

static const xs_type end_word = {
    .kind = XS_TYPE_WORD, .phrase = "rod node", .words = WORDS("start", "end")};
const xs_type rod_node = {.kind = XS_TYPE_CHOICE,
                          .phrase = "\"start\", \"end\" or a node's index from 0",
                          .options = OPTIONS(&integer, &end_word)};
const xs_type rod_reference = {.kind = XS_TYPE_REFERENCE, .phrase = "rod", .scope = "rods"};

static const xs_key node_keys[] = {
    {"rod", &rod_reference, NO_UNIT, REQUIRED, ANY, ALWAYS, "Name of a rod."},
    {"node", &rod_node, NO_UNIT, REQUIRED, NOT_NEGATIVE, ALWAYS,
     "\"start\", \"end\" or the index of a node, from 0 along the rod."},
    END};
static const xs_object node_object = {"rod_node", "A node of a rod.", node_keys, NULL};
static const xs_type node = FORM(node_object);
static const xs_type body_or_ground = {
    .kind = XS_TYPE_REFERENCE, .phrase = "body", .scope = "bodies", .words = WORDS("ground")};
const xs_type end_reference = {.kind = XS_TYPE_CHOICE,
                               .phrase = "a body's name, \"ground\" or {\"rod\", \"node\"}",
                               .options = OPTIONS(&body_or_ground, &node)};

/* ---- Shape of the centreline ---- */

static const xs_type points = {.kind = XS_TYPE_ARRAY,
                               .phrase = "an array of at least two points [x, y, z]",
                               .item = &vec3,
                               .min_items = 2};
static const xs_type line_type = {.kind = XS_TYPE_WORD,
                                  .phrase = "rod shape",
                                  .words = WORDS("straight", "helix", "arc", "curve")};
static const xs_key line_keys[] = {
    {"type", &line_type, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Kind of centreline, in the pose's frame. Straight and arc start at its origin along its z; "
     "an arc turns towards its x; a helix winds about its z from (radius, 0, 0)."},
    {"length", &number, "m", REQUIRED, POSITIVE, "straight", "Length."},
    {"radius", &number, "m", REQUIRED, POSITIVE, "helix|arc", "Radius of the centreline."},
    {"turns", &number, "1", REQUIRED, POSITIVE, "helix", "Number of turns, whole or not."},
    {"height", &number, "m", REQUIRED, ANY, "helix",
     "Rise along the axis over all turns; negative: a left-handed helix."},
    {"angle", &angle, "rad", REQUIRED, POSITIVE, "arc", "Angle that the arc spans."},
    {"points", &points, "m", REQUIRED, ANY, "curve",
     "Points that the curve goes through: a cubic spline over the chord lengths with continuous "
     "second derivatives, also of the third ones at the second and the last but one point."},
    END};
static const xs_object line_object = {
    "rod_shape", "Centreline of a rod at t = 0; elements are of equal arc length along it.",
    line_keys, NULL};
static const xs_type line = FORM(line_object);

static const xs_key pose_keys[] = {
    {"position", &vec3, "m", ORIGIN, ANY, ALWAYS, "Origin of the shape's frame, in the world."},
    {"orientation", &orientation, NO_UNIT, UNTURNED, ANY, ALWAYS,
     "Orientation of the shape's frame."},
    END};
static const xs_object pose_object = {"rod_pose", "Where the shape of a rod stands at t = 0.",
                                      pose_keys, NULL};
static const xs_type pose = FORM(pose_object);

/* ---- Section, stiffness, rest ---- */

static const xs_key section_keys[] = {
    {"radius", &number, "m", NO_DEFAULT, POSITIVE, ALWAYS, "Outer radius of a round section."},
    {"inner_radius", &number, "m", NO_DEFAULT, POSITIVE, ALWAYS,
     "Inner radius of a tube, below radius."},
    {"width", &number, "m", NO_DEFAULT, POSITIVE, ALWAYS, "Width of a rectangle, along d1."},
    {"height", &number, "m", NO_DEFAULT, POSITIVE, ALWAYS, "Height of a rectangle, along d2."},
    {"area", &number, "m^2", NO_DEFAULT, POSITIVE, ALWAYS, "Area of any section."},
    {"second_moments", &vec3, "m^4", NO_DEFAULT, POSITIVE, ALWAYS,
     "Second moments [I1, I2, J] of any section: of bending about d1 and d2, and of torsion. "
     "The rotary inertia about d3 is that of I1 + I2."},
    END};
static const xs_object section_object = {
    "section", "Cross-section of a rod.", section_keys,
    WORDS("radius", "radius+inner_radius", "width+height", "area+second_moments")};
static const xs_type section = FORM(section_object);

static const xs_key stiffness_keys[] = {
    {"shear", &vec3, "N", REQUIRED, NOT_NEGATIVE, ALWAYS,
     "Stiffness against shear along d1 and d2, and against stretch; 0: none."},
    {"bend", &vec3, "N m^2", REQUIRED, NOT_NEGATIVE, ALWAYS,
     "Stiffness against bending about d1 and d2, and against twist; 0: none."},
    END};
static const xs_object stiffness_object = {
    "stiffness", "Stiffness of a rod, instead of moduli and section.", stiffness_keys, NULL};
static const xs_type stiffness = FORM(stiffness_object);

static const xs_type cowper = {
    .kind = XS_TYPE_WORD, .phrase = "shear correction", .words = WORDS("cowper")};
static const xs_type shear_correction = {.kind = XS_TYPE_CHOICE,
                                         .phrase = "\"cowper\" or a number",
                                         .options = OPTIONS(&number, &cowper)};

static const xs_key curvature_keys[] = {
    {"curvature", &vec3, "1/m", REQUIRED, ANY, ALWAYS,
     "Curvature about d1 and d2 and twist at rest, the same all along."},
    END};
static const xs_object curvature_object = {"rest", "A constant rest curvature.", curvature_keys,
                                           NULL};
static const xs_type curvature = FORM(curvature_object);
static const xs_type rest_word = {
    .kind = XS_TYPE_WORD, .phrase = "rest", .words = WORDS("shape", "straight")};
static const xs_type rest = {.kind = XS_TYPE_CHOICE,
                             .phrase = "\"shape\", \"straight\" or {\"curvature\"}",
                             .options = OPTIONS(&rest_word, &curvature)};

/* ---- Ends, velocities ---- */

static const xs_type support = {
    .kind = XS_TYPE_WORD, .phrase = "end", .words = WORDS("free", "pinned", "clamped")};
static const xs_key ends_keys[] = {
    {"start", &support, NO_UNIT, "\"free\"", ANY, ALWAYS,
     "Clamped: a fixed joint with the ground, named ROD-start; pinned: a spherical one."},
    {"end", &support, NO_UNIT, "\"free\"", ANY, ALWAYS, "The same at the end, named ROD-end."},
    END};
static const xs_object ends_object = {"ends", "How the ends of a rod are held.", ends_keys, NULL};
static const xs_type ends = FORM(ends_object);

static const xs_type rows = {.kind = XS_TYPE_ARRAY,
                             .phrase = "an array of rows of three numbers",
                             .item = &vec3,
                             .min_items = 2};
static const xs_type velocity = {.kind = XS_TYPE_CHOICE,
                                 .phrase = "three numbers [x, y, z], or such a row for each node",
                                 .options = OPTIONS(&vec3, &rows)};

/* ---- Rods ---- */

static const xs_type rod_name = {
    .kind = XS_TYPE_NAME, .phrase = "rod", .scope = "rods", .words = WORDS("name")};
static const xs_type discretization = {
    .kind = XS_TYPE_WORD,
    .phrase = "discretization",
    .words = WORDS("rigid_chain", "linear", "quadratic", "cubic")};
static const xs_type quadrature = {
    .kind = XS_TYPE_WORD, .phrase = "quadrature", .words = WORDS("reduced", "full")};
static const xs_type material_name = {
    .kind = XS_TYPE_REFERENCE, .phrase = "material", .scope = "materials"};
static const xs_key rod_keys[] = {
    {"name", &rod_name, NO_UNIT, REQUIRED, ANY, ALWAYS, "Name, unique among the rods."},
    {"discretization", &discretization, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "A chain of rigid bodies, or finite elements of 2, 3 or 4 nodes."},
    {"elements", &integer, "1", REQUIRED, BETWEEN(1, 10000000), ALWAYS,
     "Elements of equal length; of a rigid_chain: its joints, one fewer than its bodies."},
    {"quadrature", &quadrature, NO_UNIT, "\"reduced\"", ANY, ALWAYS,
     "Gauss points an element: reduced 1, 2, 3 for linear, quadratic, cubic; full one more, not "
     "for a rigid_chain."},
    {"shape", &line, NO_UNIT, REQUIRED, ANY, ALWAYS, "Centreline at t = 0."},
    {"pose", &pose, NO_UNIT, "{}", ANY, ALWAYS, "Where the shape's frame stands at t = 0."},
    {"section", &section, NO_UNIT, REQUIRED, ANY, ALWAYS, "Cross-section."},
    {"contact_radius", &number, "m", NO_DEFAULT, POSITIVE, ALWAYS,
     "Radius of the round tube that touches others. Left out: that of a round section."},
    {"material", &material_name, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Name of a material with density, youngs_modulus and poisson_ratio or shear_modulus; with "
     "stiffness: with density, and youngs_modulus if there is damping."},
    {"shear_correction", &shear_correction, "1", NO_DEFAULT, POSITIVE, ALWAYS,
     "Shear correction factor kappa: \"cowper\", by Cowper (1966) for circle, tube and rectangle, "
     "or a number. Left out: cowper, and with stiffness none."},
    {"stiffness", &stiffness, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Stiffness instead of that from moduli and section."},
    {"rest", &rest, NO_UNIT, "\"shape\"", ANY, ALWAYS,
     "Curvature without load: that of the shape (exact, at Gauss points), none, or a constant "
     "one."},
    {"damping", &number, "Pa s", "0", NOT_NEGATIVE, ALWAYS,
     "Viscosity beta of the material: forces of strain rates are beta / youngs_modulus times "
     "the stiffness."},
    {"linear_velocity", &velocity, "m/s", ORIGIN, ANY, ALWAYS,
     "Velocity at t = 0, in the world: one for all nodes, or a row a node."},
    {"angular_velocity", &velocity, "rad/s", ORIGIN, ANY, ALWAYS,
     "Angular velocity at t = 0, in the node's frame: one for all nodes, or a row a node."},
    {"ends", &ends, NO_UNIT, "{}", ANY, ALWAYS, "How the ends are held."},
    END};
static const xs_object rod_object = {"rod", "A Cosserat rod; d3 of its frames is along it.",
                                     rod_keys, WORDS("", "stiffness", "shear_correction")};
static const xs_type rod = FORM(rod_object);
const xs_type rods = {.kind = XS_TYPE_ARRAY, .phrase = "an array of rods", .item = &rod};
