/* The table of scene parameters: what scene_table.h describes, filled in.
 *
 * Read it from the bottom: the scene, its lists and objects, their types. Objects stand
 * before those that hold them. Every line is
 *   name, type, unit, default, range, when, meaning.
 * Keys that the interface plans for later versions are in scene_planned.c; a key moves
 * from there to here when the builder can use it. */
#include "io/scene_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char xs_scene_required[] = "required";

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

/* ---- Simple types ---- */

static const xs_type number = {.kind = XS_TYPE_NUMBER, .phrase = "a number"};
static const xs_type integer = {.kind = XS_TYPE_INTEGER, .phrase = "an integer"};
static const xs_type boolean = {.kind = XS_TYPE_BOOL, .phrase = "true or false"};
static const xs_type text = {.kind = XS_TYPE_STRING, .phrase = "a string"};
static const xs_type filled_text = {
    .kind = XS_TYPE_STRING, .phrase = "a string that is not empty", .min_items = 1};
static const xs_type angle = {.kind = XS_TYPE_ANGLE,
                              .phrase = "an angle (a number in rad or {\"deg\": number})"};
static const xs_type vec3 = {.kind = XS_TYPE_ARRAY,
                             .phrase = "three numbers [x, y, z]",
                             .item = &number,
                             .min_items = 3,
                             .max_items = 3};
static const xs_type quaternion = {.kind = XS_TYPE_ARRAY,
                                   .phrase = "four numbers [w, x, y, z]",
                                   .item = &number,
                                   .min_items = 4,
                                   .max_items = 4};
static const xs_type matrix = {.kind = XS_TYPE_ARRAY,
                               .phrase = "three rows of three numbers",
                               .item = &vec3,
                               .min_items = 3,
                               .max_items = 3};
static const xs_type samples = {.kind = XS_TYPE_ARRAY,
                                .phrase = "an array of at least one number",
                                .item = &number,
                                .min_items = 1};
static const xs_type two_samples = {.kind = XS_TYPE_ARRAY,
                                    .phrase = "an array of at least two numbers",
                                    .item = &number,
                                    .min_items = 2};
static const xs_type inertia = {.kind = XS_TYPE_CHOICE,
                                .phrase = "[Ixx, Iyy, Izz] or three rows of three numbers",
                                .options = OPTIONS(&vec3, &matrix)};

static const xs_key degrees_keys[] = {
    {"deg", &number, "deg", REQUIRED, ANY, ALWAYS, "The angle in degrees."}, END};
const xs_object xs_scene_degrees_object = {"degrees", "An angle in degrees.", degrees_keys, NULL};

/* ---- Orientation: one of four forms ---- */

static const xs_key orientation_keys[] = {
    {"axis", &vec3, "1", NO_DEFAULT, ANY, ALWAYS, "Axis of the rotation, not zero; normalised."},
    {"angle", &angle, "rad", NO_DEFAULT, ANY, ALWAYS, "Angle of the rotation about axis."},
    {"quaternion", &quaternion, "1", NO_DEFAULT, ANY, ALWAYS,
     "Quaternion [w, x, y, z], not zero; normalised."},
    {"matrix", &matrix, "1", NO_DEFAULT, ANY, ALWAYS,
     "Rotation matrix by rows, orthogonal within 1e-6, determinant +1."},
    {"rotation_vector", &vec3, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Rotation vector: axis times angle."},
    END};
static const xs_object orientation_object = {
    "orientation", "An active rotation from the frame's axes to those of the frame it stands in.",
    orientation_keys, WORDS("axis+angle", "quaternion", "matrix", "rotation_vector")};
static const xs_type orientation = {.kind = XS_TYPE_OBJECT,
                                    .phrase =
                                        "an object {\"axis\", \"angle\"}, {\"quaternion\"}, "
                                        "{\"matrix\"} or {\"rotation_vector\"}",
                                    .object = &orientation_object};

/* ---- Functions of time ---- */

static const xs_key ramp_keys[] = {
    {"from", &number, NO_UNIT, REQUIRED, ANY, ALWAYS, "Value until start."},
    {"to", &number, NO_UNIT, REQUIRED, ANY, ALWAYS, "Value from end on."},
    {"start", &number, "s", "0", ANY, ALWAYS, "Time at which the value begins to change."},
    {"end", &number, "s", REQUIRED, ANY, ALWAYS, "Time at which it has changed; after start."},
    {"smooth", &boolean, NO_UNIT, "false", ANY, ALWAYS, "Change along 3 s^2 - 2 s^3 instead of s."},
    END};
static const xs_object ramp_object = {"ramp", "A change from one value to another.", ramp_keys,
                                      NULL};
static const xs_type ramp = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &ramp_object};

static const xs_key sine_keys[] = {
    {"offset", &number, NO_UNIT, "0", ANY, ALWAYS, "Mean value."},
    {"amplitude", &number, NO_UNIT, REQUIRED, ANY, ALWAYS, "Amplitude about the mean value."},
    {"frequency", &number, "Hz", REQUIRED, ANY, ALWAYS, "Cycles a second."},
    {"phase", &angle, "rad", "0", ANY, ALWAYS, "Phase at t = 0."},
    END};
static const xs_object sine_object = {"sine", "offset + amplitude sin(2 pi frequency t + phase).",
                                      sine_keys, NULL};
static const xs_type sine = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &sine_object};

static const xs_type interpolation = {
    .kind = XS_TYPE_WORD, .phrase = "interpolation", .words = WORDS("linear", "cubic")};
static const xs_key table_keys[] = {
    {"time", &two_samples, "s", REQUIRED, ANY, ALWAYS,
     "Times, at least two, strictly increasing; the value is constant outside."},
    {"value", &two_samples, NO_UNIT, REQUIRED, ANY, ALWAYS, "A value for each time."},
    {"interpolation", &interpolation, NO_UNIT, "\"linear\"", ANY, ALWAYS,
     "Between the times: straight lines, or a natural cubic spline."},
    END};
static const xs_object table_object = {"table", "Values at given times.", table_keys, NULL};
static const xs_type table = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &table_object};

static const xs_type function;
static const xs_type functions = {.kind = XS_TYPE_ARRAY,
                                  .phrase = "an array of at least one function of time",
                                  .item = &function,
                                  .min_items = 1};
static const xs_key function_keys[] = {
    {"ramp", &ramp, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "A change from one value to another."},
    {"sine", &sine, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "A sine."},
    {"table", &table, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Values at given times."},
    {"sum", &functions, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "The sum of functions of time."},
    {"product", &functions, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "The product of functions of time."},
    END};
static const xs_object function_object = {"function", "A value that changes with time.",
                                          function_keys,
                                          WORDS("ramp", "sine", "table", "sum", "product")};
static const xs_type function_form = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &function_object};
static const xs_type function = {.kind = XS_TYPE_CHOICE,
                                 .phrase =
                                     "a function of time (a number, or an object with "
                                     "ramp, sine, table, sum or product)",
                                 .options = OPTIONS(&number, &function_form)};
static const xs_type function3 = {.kind = XS_TYPE_ARRAY,
                                  .phrase = "three functions of time [x, y, z]",
                                  .item = &function,
                                  .min_items = 3,
                                  .max_items = 3};

/* ---- Time, solver, output ---- */

static const xs_key time_keys[] = {
    {"step", &number, "s", REQUIRED, POSITIVE, ALWAYS, "Time step; records fall on steps."},
    {"duration", &number, "s", REQUIRED, NOT_NEGATIVE, ALWAYS,
     "Simulated time; the run has round(duration / step) steps."},
    {"substeps", &integer, "1", "1", BETWEEN(1, 1000000), ALWAYS, "Solver steps in a time step."},
    END};
static const xs_object time_object = {"time", "Time step and duration.", time_keys, NULL};
static const xs_type time_type = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &time_object};

static const xs_type method = {
    .kind = XS_TYPE_WORD, .phrase = "solver method", .words = WORDS("xpbd")};
static const xs_type solve = {
    .kind = XS_TYPE_WORD, .phrase = "solve mode", .words = WORDS("individual", "block")};
static const xs_type gyroscopic = {.kind = XS_TYPE_WORD,
                                   .phrase = "gyroscopic term",
                                   .words = WORDS("midpoint", "explicit", "implicit")};
static const xs_key solver_keys[] = {
    {"method", &method, NO_UNIT, "\"xpbd\"", ANY, ALWAYS, "Method of solution."},
    {"solve", &solve, NO_UNIT, "\"block\"", ANY, ALWAYS,
     "What is solved at once: a single row, or all rows of a joint."},
    {"iterations", &integer, "1", "1", BETWEEN(1, 1000000), ALWAYS,
     "Sweeps over all constraints in a substep."},
    {"gyroscopic", &gyroscopic, NO_UNIT, "\"midpoint\"", ANY, ALWAYS,
     "Treatment of the gyroscopic torque in the prediction."},
    END};
static const xs_object solver_object = {"solver", "How the equations are solved.", solver_keys,
                                        NULL};
static const xs_type solver = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &solver_object};

static const xs_type field = {
    .kind = XS_TYPE_WORD, .phrase = "output field", .words = WORDS("bodies", "joints")};
static const xs_type fields = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of output fields", .item = &field, .unique = 1};
static const xs_key output_keys[] = {
    {"every", &integer, "1", "1", BETWEEN(1, 1000000000), ALWAYS, "Time steps a record."},
    {"fields", &fields, NO_UNIT, "[\"bodies\", \"joints\"]", ANY, ALWAYS,
     "Groups of the result that are recorded besides energies, momenta and residuals."},
    {"compression", &integer, "1", "0", BETWEEN(0, 9), ALWAYS,
     "Deflate level of the result file; 0 = none."},
    {"checkpoint", &number, "s", "1", POSITIVE, ALWAYS, "Simulated time between checkpoints."},
    END};
static const xs_object output_object = {"output", "What is recorded.", output_keys, NULL};
static const xs_type output = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &output_object};

/* ---- Materials ---- */

static const xs_key material_keys[] = {
    {"density", &number, "kg/m^3", NO_DEFAULT, POSITIVE, ALWAYS,
     "Density; needed only where the mass of a body comes from its shapes."},
    END};
static const xs_object material_object = {"material", "A material.", material_keys, NULL};
static const xs_type material = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &material_object};
static const xs_type materials = {.kind = XS_TYPE_MAP,
                                  .phrase = "an object of materials by name",
                                  .item = &material,
                                  .scope = "materials"};
static const xs_type material_name = {
    .kind = XS_TYPE_REFERENCE, .phrase = "material", .scope = "materials"};

/* ---- Shapes and bodies ---- */

static const xs_type shape_type = {
    .kind = XS_TYPE_WORD,
    .phrase = "shape type",
    .words = WORDS("sphere", "capsule", "cylinder", "box", "plane", "torus")};
static const xs_key shape_keys[] = {
    {"type", &shape_type, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Kind of shape. Capsules and cylinders lie along z, a torus about z; a plane is z = 0, "
     "solid below, and stands on fixed bodies only."},
    {"radius", &number, "m", REQUIRED, POSITIVE, "sphere|capsule|cylinder", "Radius."},
    {"half_length", &number, "m", REQUIRED, POSITIVE, "capsule|cylinder",
     "Half the length along z; of a capsule without its caps."},
    {"half_extents", &vec3, "m", REQUIRED, POSITIVE, "box", "Half the edges along x, y, z."},
    {"major_radius", &number, "m", REQUIRED, POSITIVE, "torus",
     "Radius of the centre line's circle."},
    {"minor_radius", &number, "m", REQUIRED, POSITIVE, "torus",
     "Radius of the tube; at most major_radius."},
    {"position", &vec3, "m", ORIGIN, ANY, ALWAYS, "Origin of the shape in the body's frame."},
    {"orientation", &orientation, NO_UNIT, UNTURNED, ANY, ALWAYS,
     "Orientation of the shape in the body's frame."},
    {"material", &material_name, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Name of a material; its density gives the mass of a body that states none."},
    END};
static const xs_object shape_object = {"shape", "A solid; overlapping shapes count twice.",
                                       shape_keys, NULL};
static const xs_type shape = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &shape_object};
static const xs_type shapes = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of shapes", .item = &shape};

static const xs_type body_name = {
    .kind = XS_TYPE_NAME, .phrase = "body", .scope = "bodies", .words = WORDS("ground")};
static const xs_key body_keys[] = {
    {"name", &body_name, NO_UNIT, REQUIRED, ANY, ALWAYS, "Name, unique among the bodies."},
    {"position", &vec3, "m", ORIGIN, ANY, ALWAYS,
     "Origin of the body's frame at t = 0, in the world."},
    {"orientation", &orientation, NO_UNIT, UNTURNED, ANY, ALWAYS,
     "Orientation of the body's frame at t = 0."},
    {"center_of_mass", &vec3, "m", NO_DEFAULT, ANY, ALWAYS,
     "Centre of mass in the body's frame. Left out: that of the shapes (by their densities, or "
     "of equal density if none has one), else the frame's origin."},
    {"mass", &number, "kg", NO_DEFAULT, POSITIVE, ALWAYS,
     "Mass. Left out: from the shapes and their densities. With shapes without density and no "
     "inertia: spread evenly over the shapes. A fixed body needs none."},
    {"inertia", &inertia, "kg m^2", NO_DEFAULT, ANY, ALWAYS,
     "Moments of inertia about the centre of mass along the body's axes, or the symmetric "
     "tensor by rows; positive definite, no principal moment above the sum of the other two. "
     "Given with mass only."},
    {"linear_velocity", &vec3, "m/s", ORIGIN, ANY, ALWAYS,
     "Velocity of the centre of mass at t = 0, in the world."},
    {"angular_velocity", &vec3, "rad/s", ORIGIN, ANY, ALWAYS,
     "Angular velocity at t = 0, in the body's frame."},
    {"fixed", &boolean, NO_UNIT, "false", ANY, ALWAYS, "Never moved."},
    {"shapes", &shapes, NO_UNIT, "[]", ANY, ALWAYS, "Shapes of the body; several = a compound."},
    END};
static const xs_object body_object = {"body", "A rigid body.", body_keys,
                                      WORDS("", "mass", "mass+inertia")};
static const xs_type body = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &body_object};
static const xs_type bodies = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of bodies", .item = &body};
static const xs_type body_reference = {
    .kind = XS_TYPE_REFERENCE, .phrase = "body", .scope = "bodies"};
static const xs_type end_reference = {
    .kind = XS_TYPE_REFERENCE, .phrase = "body", .scope = "bodies", .words = WORDS("ground")};

/* ---- Joints ---- */

static const xs_key at_keys[] = {
    {"position", &vec3, "m", REQUIRED, ANY, ALWAYS, "The joint's place at t = 0, in the world."},
    {"axis", &vec3, "1", "[0, 0, 1]", ANY, ALWAYS,
     "The joint axis at t = 0, in the world: z of the joint frame, whose x is the world axis "
     "least parallel to it (the first of equals), made orthogonal."},
    END};
static const xs_object at_object = {"at", "A joint frame in the world at t = 0.", at_keys, NULL};
static const xs_type at = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &at_object};

static const xs_key frame_keys[] = {
    {"position", &vec3, "m", ORIGIN, ANY, ALWAYS, "Origin in the body's frame."},
    {"orientation", &orientation, NO_UNIT, UNTURNED, ANY, ALWAYS,
     "Orientation in the body's frame; its z is the joint axis."},
    END};
static const xs_object frame_object = {
    "frame", "A joint frame in a body's frame; of the ground: in the world.", frame_keys, NULL};
static const xs_type frame = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &frame_object};

static const xs_type joint_name = {.kind = XS_TYPE_NAME, .phrase = "joint", .scope = "joints"};
static const xs_type joint_type = {
    .kind = XS_TYPE_WORD, .phrase = "joint type", .words = WORDS("fixed", "revolute", "spherical")};
static const xs_key joint_keys[] = {
    {"name", &joint_name, NO_UNIT, REQUIRED, ANY, ALWAYS, "Name, unique among the joints."},
    {"type", &joint_type, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Kind of joint; revolute turns about z of its frames."},
    {"body1", &end_reference, NO_UNIT, "\"ground\"", ANY, ALWAYS,
     "First body: a body's name or \"ground\"."},
    {"body2", &end_reference, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Second body, whose motion against the first the joint's coordinate measures: a body's "
     "name or \"ground\"."},
    {"at", &at, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Both joint frames by their common place in the world at t = 0. Left out with frame1 and "
     "frame2: the frame of body2."},
    {"frame1", &frame, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Joint frame in body1's frame."},
    {"frame2", &frame, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Joint frame in body2's frame."},
    END};
static const xs_object joint_object = {"joint", "A joint between two bodies, or body and ground.",
                                       joint_keys, WORDS("", "at", "frame1+frame2")};
static const xs_type joint = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &joint_object};
static const xs_type joints = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of joints", .item = &joint};

/* ---- Loads and checks ---- */

static const xs_type load_frame = {
    .kind = XS_TYPE_WORD, .phrase = "load frame", .words = WORDS("world", "body")};
static const xs_key load_keys[] = {
    {"body", &body_reference, NO_UNIT, REQUIRED, ANY, ALWAYS, "Body that the load acts on."},
    {"force", &function3, "N", NO_DEFAULT, ANY, ALWAYS,
     "Force at the centre of mass; left out: none."},
    {"torque", &function3, "N m", NO_DEFAULT, ANY, ALWAYS, "Torque; left out: none."},
    {"frame", &load_frame, NO_UNIT, "\"world\"", ANY, ALWAYS,
     "Frame of the components: the world, or the body (a follower load)."},
    END};
static const xs_object load_object = {"load", "A force and torque on a body.", load_keys,
                                      WORDS("force", "torque", "force+torque")};
static const xs_type load = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &load_object};
static const xs_type loads = {.kind = XS_TYPE_ARRAY, .phrase = "an array of loads", .item = &load};

static const xs_key reference_keys[] = {
    {"time", &samples, "s", REQUIRED, ANY, ALWAYS, "Times, strictly increasing."},
    {"value", &samples, NO_UNIT, REQUIRED, ANY, ALWAYS, "The expected value at each time."},
    END};
static const xs_object reference_object = {"reference", "A series to compare with.", reference_keys,
                                           NULL};
static const xs_type reference = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &reference_object};

static const xs_key check_keys[] = {
    {"metric", &filled_text, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Metric of the result, such as residual.constraint.max; with reference a series, without "
     "a reduction at its end."},
    {"below", &number, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Holds if the metric is below this."},
    {"above", &number, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Holds if the metric is above this."},
    {"equals", &number, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Holds if the metric differs from this by at most within."},
    {"within", &number, NO_UNIT, NO_DEFAULT, NOT_NEGATIVE, ALWAYS,
     "Tolerance of equals or reference, in the metric's unit."},
    {"reference", &reference, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Holds if the series differs from this one by at most within."},
    {"from", &number, "s", NO_DEFAULT, ANY, ALWAYS,
     "Earliest time that counts; left out: the start."},
    {"to", &number, "s", NO_DEFAULT, ANY, ALWAYS, "Latest time that counts; left out: the end."},
    END};
static const xs_object check_object = {
    "check", "What must hold of the result; the exit status says if one does not.", check_keys,
    WORDS("below", "above", "below+above", "equals+within", "reference+within")};
static const xs_type check = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &check_object};
static const xs_type checks = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of checks", .item = &check};

/* ---- The scene ---- */

static const xs_key scene_keys[] = {
    {"$schema", &text, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Where an editor finds the schema; not used by the program."},
    {"format", &integer, NO_UNIT, "1", BETWEEN(1, 1), ALWAYS, "Version of the scene format."},
    {"name", &text, NO_UNIT, "\"\"", ANY, ALWAYS, "Name of the scene."},
    {"description", &text, NO_UNIT, "\"\"", ANY, ALWAYS, "What the scene shows."},
    {"gravity", &vec3, "m/s^2", ORIGIN, ANY, ALWAYS, "Acceleration of gravity, in the world."},
    {"time", &time_type, NO_UNIT, REQUIRED, ANY, ALWAYS, "Time step and duration."},
    {"solver", &solver, NO_UNIT, "{}", ANY, ALWAYS, "How the equations are solved."},
    {"materials", &materials, NO_UNIT, "{}", ANY, ALWAYS, "Materials by name."},
    {"bodies", &bodies, NO_UNIT, "[]", ANY, ALWAYS, "Rigid bodies."},
    {"joints", &joints, NO_UNIT, "[]", ANY, ALWAYS, "Joints, solved in this order."},
    {"loads", &loads, NO_UNIT, "[]", ANY, ALWAYS, "Forces and torques on bodies."},
    {"output", &output, NO_UNIT, "{}", ANY, ALWAYS, "What is recorded."},
    {"checks", &checks, NO_UNIT, "[]", ANY, ALWAYS, "What must hold of the result."},
    END};
const xs_object xs_scene_object = {"scene", "A scene of the simulator xsim. SI units, radians.",
                                   scene_keys, NULL};
