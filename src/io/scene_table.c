/* The table of scene parameters: what scene_table.h describes, filled in.
 *
 * Read it from the bottom: the scene, its lists and objects, their types. Objects stand
 * before those that hold them. Every line is
 *   name, type, unit, default, range, when, meaning.
 * Types that several objects share are in scene_table_types.c, joints in
 * scene_table_joint.c, rods in scene_table_rod.c. Keys that the interface plans for later versions
 * are in scene_planned.c; a key moves from there to here when the builder can use it. */
#include "io/scene_table_parts.h"

const char xs_scene_required[] = "required";

/* ---- Simple types ---- */

static const xs_type integer = {.kind = XS_TYPE_INTEGER, .phrase = "an integer"};
static const xs_type text = {.kind = XS_TYPE_STRING, .phrase = "a string"};
static const xs_type filled_text = {
    .kind = XS_TYPE_STRING, .phrase = "a string that is not empty", .min_items = 1};
static const xs_type matrix = {.kind = XS_TYPE_ARRAY,
                               .phrase = "three rows of three numbers",
                               .item = &vec3,
                               .min_items = 3,
                               .max_items = 3};
static const xs_type samples = {.kind = XS_TYPE_ARRAY,
                                .phrase = "an array of at least one number",
                                .item = &number,
                                .min_items = 1};
static const xs_type inertia = {.kind = XS_TYPE_CHOICE,
                                .phrase = "[Ixx, Iyy, Izz] or three rows of three numbers",
                                .options = OPTIONS(&vec3, &matrix)};

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
/* A word of these three moves here from scene_planned.c with the module that does it. */
static const xs_type mode = {
    .kind = XS_TYPE_WORD, .phrase = "solver mode", .words = WORDS("dynamic", "static")};
static const xs_type integrator = {
    .kind = XS_TYPE_WORD, .phrase = "integrator", .words = WORDS("euler", "rattle", "genalpha")};
static const xs_type band_solver = {
    .kind = XS_TYPE_WORD, .phrase = "band solver", .words = WORDS("lapacke", "native")};
static const xs_type solve = {
    .kind = XS_TYPE_WORD, .phrase = "solve mode", .words = WORDS("individual", "block", "global")};
static const xs_type constraints = {.kind = XS_TYPE_WORD,
                                    .phrase = "constraint form",
                                    .words = WORDS("vector", "scalar", "scalar-mueller")};
static const xs_type rod_solve = {
    .kind = XS_TYPE_WORD, .phrase = "rod solve", .words = WORDS("banded", "individual")};
static const xs_type update = {
    .kind = XS_TYPE_WORD, .phrase = "update", .words = WORDS("xpbd", "corrected")};
static const xs_type gyroscopic = {.kind = XS_TYPE_WORD,
                                   .phrase = "gyroscopic term",
                                   .words = WORDS("midpoint", "explicit", "implicit")};
static const xs_key solver_keys[] = {
    {"method", &method, NO_UNIT, "\"xpbd\"", ANY, ALWAYS, "Method of solution."},
    {"mode", &mode, NO_UNIT, "\"dynamic\"", ANY, ALWAYS,
     "Motion over time (dynamic), or equilibria (static): one at the start and one a time step, "
     "each from the one before, with loads and motions taken at that time; without time one, at "
     "t = 0. Static mode ignores velocities and dampers and takes neither rates of targets nor "
     "scalar constraints; solve, rod_solve, update and gyroscopic have no effect in it, and "
     "method xpbd with integrator euler stands for it, too."},
    {"integrator", &integrator, NO_UNIT, "\"euler\"", ANY, ALWAYS,
     "Step in time: backward Euler, the paper's (euler); rattle, of second order and keeping "
     "energy and momentum, for rigid bodies and joints in the vector form, solve global; genalpha, "
     "generalized-alpha, of second order, for rods and all that has stiff parts, which it damps."},
    {"spectral_radius", &number, "1", NO_DEFAULT, BETWEEN(0, 1), ALWAYS,
     "Of genalpha: what a step leaves of an infinitely fast mode; at most 0.95 with joints that do "
     "not give. Default 0.8."},
    {"constraints", &constraints, NO_UNIT, "\"vector\"", ANY, ALWAYS,
     "Form of the joint rows: vector-valued, or the normed (scalar) ones of Mueller et al. "
     "2020 with their true gradients or (scalar-mueller) with the published ones; these not "
     "with solve global nor with a joint target's value, and always row by row: individual and "
     "block "
     "are the same for them."},
    {"solve", &solve, NO_UNIT, "\"block\"", ANY, ALWAYS,
     "What is solved at once: a single row (individual), all rows of a joint (block), or all "
     "joints "
     "(global). Of scalar constraints each row is a joint's whole position or rotation, and is "
     "solved by itself with block as with individual."},
    {"rod_solve", &rod_solve, NO_UNIT, "\"banded\"", ANY, ALWAYS,
     "Rods: all elements of a rod with all joints and bodies connected to it at once (banded), or "
     "three rows at a time (individual; not with solve global nor with damping)."},
    {"update", &update, NO_UNIT, "\"xpbd\"", ANY, ALWAYS,
     "xpbd leaves the primal residual out of the equations; corrected keeps it, so that both "
     "residuals converge with the iterations; unless bodies on rods are solved individually, it "
     "also "
     "takes torques on nodes of rods in the solve, however little inertia these have."},
    {"iterations", &integer, "1", "1", BETWEEN(1, 1000000), ALWAYS,
     "Sweeps over all constraints in a substep; with a tolerance: at most so many."},
    {"tolerance", &number, "1", "0", NOT_NEGATIVE, ALWAYS,
     "Above 0: iterate until the relative primal residual, and the constraint residual over "
     "the scene's size, are below it; with integrator rattle, until |C| of every row is (m, "
     "rad). Iterations used up end the run. 0: always the same number of iterations. Static "
     "mode: iterate until the Newton correction is below it (of positions as part of the scene's "
     "size, of rotations in rad); must be above 0."},
    {"gyroscopic", &gyroscopic, NO_UNIT, "\"midpoint\"", ANY, ALWAYS,
     "Treatment of the gyroscopic torque in the prediction."},
    {"band_solver", &band_solver, NO_UNIT, "\"lapacke\"", ANY, ALWAYS,
     "What factors the band matrices of rods: LAPACK (lapacke), or a factor of our own (native), "
     "with which no part of a run in time goes through BLAS or LAPACK: the same bits on every "
     "x86-64. Mode static always goes through LAPACK."},
    END};
static const xs_object solver_object = {"solver", "How the equations are solved.", solver_keys,
                                        NULL};
static const xs_type solver = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &solver_object};

static const xs_type field = {
    .kind = XS_TYPE_WORD,
    .phrase = "output field",
    .words = WORDS("bodies", "joints", "rods", "contacts", "residual_peak", "stability")};
static const xs_type fields = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of output fields", .item = &field, .unique = 1};
static const xs_key output_keys[] = {
    {"every", &integer, "1", "1", BETWEEN(1, 1000000000), ALWAYS, "Time steps a record."},
    {"fields", &fields, NO_UNIT, "[\"bodies\", \"joints\", \"rods\", \"contacts\"]", ANY, ALWAYS,
     "Groups of the result that are recorded besides energies, momenta and residuals; "
     "residual_peak: the largest residuals over all substeps since the record before; "
     "stability (mode static only): the lowest eigenvalue of each equilibrium."},
    {"compression", &integer, "1", "0", BETWEEN(0, 9), ALWAYS,
     "Deflate level of the result file; 0 = none."},
    {"checkpoint", &number, "s", "1", POSITIVE, ALWAYS, "Simulated time between checkpoints."},
    END};
static const xs_object output_object = {"output", "What is recorded.", output_keys, NULL};
static const xs_type output = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &output_object};

/* ---- Materials ---- */

#define POISSON \
  { -1, 0.5, 1, 0 }

static const xs_key material_keys[] = {
    {"density", &number, "kg/m^3", NO_DEFAULT, POSITIVE, ALWAYS,
     "Density; needed by rods, and where the mass of a body comes from its shapes."},
    {"youngs_modulus", &number, "Pa", NO_DEFAULT, POSITIVE, ALWAYS,
     "Young's modulus E; needed by rods without stiffness, and for their damping."},
    {"poisson_ratio", &number, "1", NO_DEFAULT, POISSON, ALWAYS,
     "Poisson's ratio nu; the shear modulus is E / (2 (1 + nu)). Needed by rods without "
     "stiffness, or shear_modulus."},
    {"shear_modulus", &number, "Pa", NO_DEFAULT, POSITIVE, ALWAYS,
     "Shear modulus, instead of poisson_ratio."},
    {"friction", &number, "1", NO_DEFAULT, NOT_NEGATIVE, ALWAYS,
     "Coefficient of friction of what slides; of a pair sqrt(mu1 mu2). Left out: "
     "contact.friction."},
    {"static_friction", &number, "1", NO_DEFAULT, NOT_NEGATIVE, ALWAYS,
     "Coefficient up to which contacts stick, at least friction. Left out: friction."},
    {"restitution", &number, "1", NO_DEFAULT, BETWEEN(0, 1), ALWAYS,
     "Coefficient of restitution; of a pair max(e1, e2). Left out: contact.restitution."},
    END};
static const xs_object material_object = {
    "material", "A material.", material_keys,
    WORDS("", "youngs_modulus", "youngs_modulus+poisson_ratio", "youngs_modulus+shear_modulus")};
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
     "solid below, and stands on fixed or prescribed bodies only."},
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
     "inertia: spread evenly over the shapes. A body that is fixed or has a motion needs none."},
    {"inertia", &inertia, "kg m^2", NO_DEFAULT, ANY, ALWAYS,
     "Moments of inertia about the centre of mass along the body's axes, or the symmetric "
     "tensor by rows; positive definite, no principal moment above the sum of the other two. "
     "Given with mass only."},
    {"linear_velocity", &vec3, "m/s", ORIGIN, ANY, ALWAYS,
     "Velocity of the centre of mass at t = 0, in the world."},
    {"angular_velocity", &vec3, "rad/s", ORIGIN, ANY, ALWAYS,
     "Angular velocity at t = 0, in the body's frame."},
    {"fixed", &boolean, NO_UNIT, "false", ANY, ALWAYS, "Never moved."},
    {"motion", &motion, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Prescribed pose over time: position and orientation are those before the motion, the "
     "body needs no mass and takes neither velocities nor loads. Left out: free, or fixed."},
    {"shapes", &shapes, NO_UNIT, "[]", ANY, ALWAYS, "Shapes of the body; several = a compound."},
    END};
static const xs_object body_object = {"body", "A rigid body.", body_keys,
                                      WORDS("", "mass", "mass+inertia")};
static const xs_type body = {.kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &body_object};
static const xs_type bodies = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of bodies", .item = &body};
static const xs_type body_reference = {
    .kind = XS_TYPE_REFERENCE, .phrase = "body", .scope = "bodies"};

/* ---- Loads and checks ---- */

static const xs_type load_frame = {
    .kind = XS_TYPE_WORD, .phrase = "load frame", .words = WORDS("world", "body")};
static const xs_key load_keys[] = {
    {"body", &body_reference, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Body that the load acts on."},
    {"rod", &rod_reference, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Rod that the load acts on, at node."},
    {"node", &rod_node, NO_UNIT, NO_DEFAULT, NOT_NEGATIVE, ALWAYS,
     "Node of the rod: \"start\", \"end\" or its index from 0."},
    {"force", &function3, "N", NO_DEFAULT, ANY, ALWAYS,
     "Force at the centre of mass or node; left out: none."},
    {"torque", &function3, "N m", NO_DEFAULT, ANY, ALWAYS, "Torque; left out: none."},
    {"frame", &load_frame, NO_UNIT, "\"world\"", ANY, ALWAYS,
     "Frame of the components: the world, or the body or node (a follower load)."},
    END};
static const xs_object load_object = {
    "load", "A force and torque on a body or a node of a rod.", load_keys,
    WORDS("body+force", "body+torque", "body+force+torque", "rod+node+force", "rod+node+torque",
          "rod+node+force+torque")};
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

/* ---- Contact ---- */

static const xs_type contact_order = {.kind = XS_TYPE_WORD,
                                      .phrase = "order of contacts",
                                      .words = WORDS("joints_first", "contacts_first")};
static const xs_type excluded = {.kind = XS_TYPE_ARRAY,
                                 .phrase = "two names of bodies or rods",
                                 .item = &filled_text,
                                 .min_items = 2,
                                 .max_items = 2};
static const xs_type exclusions = {
    .kind = XS_TYPE_ARRAY, .phrase = "an array of pairs of names", .item = &excluded};
static const xs_key contact_keys[] = {
    {"enabled", &boolean, NO_UNIT, "false", ANY, ALWAYS, "Whether anything touches."},
    {"friction", &number, "1", "0.5", NOT_NEGATIVE, ALWAYS,
     "Coefficient of friction where the material gives none."},
    {"restitution", &number, "1", "0", BETWEEN(0, 1), ALWAYS,
     "Coefficient of restitution where the material gives none; it acts on impacts faster than "
     "2 h times the closing acceleration."},
    {"compliance", &number, "m/N", "0", NOT_NEGATIVE, ALWAYS,
     "Above 0: contacts are springs, which rebound by themselves."},
    {"self_contact", &boolean, NO_UNIT, "true", ANY, ALWAYS, "Whether rods touch themselves."},
    {"joined", &boolean, NO_UNIT, "false", ANY, ALWAYS,
     "Whether bodies that a joint joins touch each other."},
    {"detect_every_iteration", &boolean, NO_UNIT, "false", ANY, ALWAYS,
     "Whether contacts are looked for again in every iteration, not only at the prediction."},
    {"order", &contact_order, NO_UNIT, "\"joints_first\"", ANY, ALWAYS,
     "What an iteration solves first; what comes last holds best."},
    {"exclude", &exclusions, NO_UNIT, "[]", ANY, ALWAYS,
     "Pairs of bodies or rods that do not touch."},
    END};
static const xs_object contact_object = {"contact", "What touches, and how.", contact_keys, NULL};
static const xs_type contact = {
    .kind = XS_TYPE_OBJECT, .phrase = "an object", .object = &contact_object};

/* ---- The scene ---- */

static const xs_key scene_keys[] = {
    {"$schema", &text, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Where an editor finds the schema; not used by the program."},
    {"format", &integer, NO_UNIT, "1", BETWEEN(1, 1), ALWAYS, "Version of the scene format."},
    {"name", &text, NO_UNIT, "\"\"", ANY, ALWAYS, "Name of the scene."},
    {"description", &text, NO_UNIT, "\"\"", ANY, ALWAYS, "What the scene shows."},
    {"gravity", &vec3, "m/s^2", ORIGIN, ANY, ALWAYS, "Acceleration of gravity, in the world."},
    {"time", &time_type, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Time step and duration; required unless solver.mode is static."},
    {"solver", &solver, NO_UNIT, "{}", ANY, ALWAYS, "How the equations are solved."},
    {"materials", &materials, NO_UNIT, "{}", ANY, ALWAYS, "Materials by name."},
    {"bodies", &bodies, NO_UNIT, "[]", ANY, ALWAYS, "Rigid bodies."},
    {"joints", &joints, NO_UNIT, "[]", ANY, ALWAYS, "Joints, solved in this order."},
    {"rods", &rods, NO_UNIT, "[]", ANY, ALWAYS, "Cosserat rods."},
    {"loads", &loads, NO_UNIT, "[]", ANY, ALWAYS, "Forces and torques on bodies and rods."},
    {"contact", &contact, NO_UNIT, "{}", ANY, ALWAYS, "What touches, and how."},
    {"output", &output, NO_UNIT, "{}", ANY, ALWAYS, "What is recorded."},
    {"checks", &checks, NO_UNIT, "[]", ANY, ALWAYS, "What must hold of the result."},
    END};
const xs_object xs_scene_object = {"scene", "A scene of the simulator xsim. SI units, radians.",
                                   scene_keys, NULL};
