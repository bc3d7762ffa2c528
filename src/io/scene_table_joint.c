/* The joints of the table (scene_table.h): frames, limits, targets, the joint itself.
 *
 * limits and target stand once for each type that has them, because their values differ. */
#include "io/scene_table_parts.h"

/* ---- Frames ---- */

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

/* ---- Limits ---- */

static const xs_type no_limit = {.kind = XS_TYPE_NULL, .phrase = "null"};
static const xs_type length_limit = {.kind = XS_TYPE_CHOICE,
                                     .phrase = "a number, or null for no limit on this side",
                                     .options = OPTIONS(&number, &no_limit)};
static const xs_type angle_limit = {
    .kind = XS_TYPE_CHOICE,
    .phrase = "an angle (a number in rad or {\"deg\": number}), or null for no limit on this side",
    .options = OPTIONS(&angle, &no_limit)};
static const xs_type length_limits = {.kind = XS_TYPE_ARRAY,
                                      .phrase = "two limits [min, max]",
                                      .item = &length_limit,
                                      .min_items = 2,
                                      .max_items = 2};
static const xs_type angle_limits = {.kind = XS_TYPE_ARRAY,
                                     .phrase = "two limits [min, max]",
                                     .item = &angle_limit,
                                     .min_items = 2,
                                     .max_items = 2};
static const xs_type swing_limits = {.kind = XS_TYPE_CHOICE,
                                     .phrase = "the largest angle, or two limits [min, max]",
                                     .options = OPTIONS(&angle, &angle_limits)};

static const xs_key rotation_limits_keys[] = {
    {"swing", &swing_limits, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Angle between the z axes of both frames: the largest one, or [min, max], in [0, pi]; "
     "left out: free."},
    {"twist", &angle_limits, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Angle of frame 2 about its z axis, left when the swing is undone: [min, max] in "
     "[-pi, pi], null for none; left out: free."},
    END};
static const xs_object rotation_limits_object = {"rotation_limits", "Limits of a spherical joint.",
                                                 rotation_limits_keys,
                                                 WORDS("swing", "twist", "swing+twist")};
static const xs_type rotation_limits = {.kind = XS_TYPE_OBJECT,
                                        .phrase = "an object with swing, twist or both",
                                        .object = &rotation_limits_object};

/* ---- Targets ---- */

/* A value given alone, or a rate given alone, is kinematic and leaves nothing to the other. */
#define TARGET_FORMS                                                                              \
  WORDS("value", "value+stiffness", "rate", "damping", "rate+damping", "value+stiffness+damping", \
        "value+stiffness+rate+damping")
#define VALUE_MEANING                                                                        \
  "Value of the joint's coordinate over time, body2 relative to body1. Alone: held exactly " \
  "(kinematic); with stiffness: a spring."
#define STIFFNESS_MEANING "Stiffness of the spring towards value; 0: none."
#define RATE_MEANING                                                                    \
  "Rate of the coordinate over time. Alone: held exactly (kinematic); with damping: a " \
  "velocity drive. Left out where damping is given: 0."
#define DAMPING_MEANING \
  "Drive force for each unit by which the rate is missed; without rate: a dashpot. 0: none."

static const xs_key angle_target_keys[] = {
    {"value", &angle_function, "rad", NO_DEFAULT, ANY, ALWAYS, VALUE_MEANING},
    {"stiffness", &number, "N m/rad", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, STIFFNESS_MEANING},
    {"rate", &angle_function, "rad/s", NO_DEFAULT, ANY, ALWAYS, RATE_MEANING},
    {"damping", &number, "N m s/rad", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, DAMPING_MEANING},
    END};
static const xs_object angle_target_object = {
    "angle_target", "What drives a revolute joint's angle.", angle_target_keys, TARGET_FORMS};
static const xs_type angle_target = FORM(angle_target_object);

static const xs_key length_target_keys[] = {
    {"value", &function, "m", NO_DEFAULT, ANY, ALWAYS, VALUE_MEANING},
    {"stiffness", &number, "N/m", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, STIFFNESS_MEANING},
    {"rate", &function, "m/s", NO_DEFAULT, ANY, ALWAYS, RATE_MEANING},
    {"damping", &number, "N s/m", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, DAMPING_MEANING},
    END};
static const xs_object length_target_object = {
    "length_target", "What drives a prismatic joint's distance.", length_target_keys, TARGET_FORMS};
static const xs_type length_target = FORM(length_target_object);

static const xs_key rotation_target_keys[] = {
    {"value", &angle_function3, "rad", NO_DEFAULT, ANY, ALWAYS,
     "Rotation vector of frame 2 in frame 1 over time. Alone: held exactly (kinematic); with "
     "stiffness: a spring."},
    {"stiffness", &vec3, "N m/rad", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, STIFFNESS_MEANING},
    {"rate", &angle_function3, "rad/s", NO_DEFAULT, ANY, ALWAYS, RATE_MEANING},
    {"damping", &vec3, "N m s/rad", NO_DEFAULT, NOT_NEGATIVE, ALWAYS, DAMPING_MEANING},
    END};
static const xs_object rotation_target_object = {
    "rotation_target", "What drives a spherical joint's rotation vector, three of each.",
    rotation_target_keys, TARGET_FORMS};
static const xs_type rotation_target = FORM(rotation_target_object);

/* ---- Joints ---- */

static const xs_type joint_name = {.kind = XS_TYPE_NAME, .phrase = "joint", .scope = "joints"};
static const xs_type joint_type = {
    .kind = XS_TYPE_WORD,
    .phrase = "joint type",
    .words = WORDS("fixed", "revolute", "spherical", "prismatic", "planar", "distance")};
static const xs_key joint_keys[] = {
    {"name", &joint_name, NO_UNIT, REQUIRED, ANY, ALWAYS, "Name, unique among the joints."},
    {"type", &joint_type, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Kind of joint. Revolute turns about z of its frames, prismatic slides along z of frame 1; "
     "planar holds the height along z of frame 1 (before its motion) and keeps the z axes "
     "parallel; distance holds the frames' origins apart."},
    {"body1", &end_reference, NO_UNIT, "\"ground\"", ANY, ALWAYS,
     "First body: a body's name, \"ground\", or a node of a rod."},
    {"body2", &end_reference, NO_UNIT, REQUIRED, ANY, ALWAYS,
     "Second body, whose motion against the first the joint's coordinate measures: a body's "
     "name, \"ground\", or a node of a rod, whose frame is then the body's."},
    {"at", &at, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Both joint frames by their common place in the world at t = 0; frame 1 without its "
     "motion. Left out with frame1 and frame2: the frame of body2. A length needs frame1 and "
     "frame2."},
    {"frame1", &frame, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Joint frame in body1's frame, without its motion."},
    {"frame2", &frame, NO_UNIT, NO_DEFAULT, ANY, ALWAYS, "Joint frame in body2's frame."},
    {"motion", &motion, NO_UNIT, NO_DEFAULT, ANY, ALWAYS,
     "Prescribed motion of frame 1 in body1; left out: none."},
    {"length", &number, "m", NO_DEFAULT, POSITIVE, "distance",
     "Distance that is held. Left out: only the limits hold."},
    {"limits", &angle_limits, "rad", NO_DEFAULT, ANY, "revolute",
     "Limits [min, max] of the angle, min < max; any number of turns. null: none on this side."},
    {"limits", &length_limits, "m", NO_DEFAULT, ANY, "prismatic",
     "Limits [min, max] of the distance along the axis, min < max. null: none on this side."},
    {"limits", &length_limits, "m", NO_DEFAULT, NOT_NEGATIVE, "distance",
     "Limits [min, max] of the distance, min < max: a rope or a stop. null: none on this side."},
    {"limits", &rotation_limits, NO_UNIT, NO_DEFAULT, ANY, "spherical",
     "Limits of swing and twist."},
    {"target", &angle_target, NO_UNIT, NO_DEFAULT, ANY, "revolute",
     "What drives the angle; left out: nothing."},
    {"target", &length_target, NO_UNIT, NO_DEFAULT, ANY, "prismatic",
     "What drives the distance along the axis; left out: nothing."},
    {"target", &rotation_target, NO_UNIT, NO_DEFAULT, ANY, "spherical",
     "What drives the rotation; left out: nothing."},
    {"compliance", &number, "m/N", "0", NOT_NEGATIVE, ALWAYS,
     "Compliance of the rows that hold translations; 0: rigid."},
    {"rotational_compliance", &number, "rad/(N m)", "0", NOT_NEGATIVE,
     "fixed|revolute|prismatic|planar", "Compliance of the rows that hold rotations; 0: rigid."},
    {"damping", &number, "N m s/rad", "0", NOT_NEGATIVE, "revolute|spherical",
     "Viscous damping of the free rotations."},
    {"damping", &number, "N s/m", "0", NOT_NEGATIVE, "prismatic|distance",
     "Viscous damping along the axis, or along the distance where that may change: with "
     "compliance or without length."},
    {"damping", &number, "N s/m, N m s/rad", "0", NOT_NEGATIVE, "planar",
     "Viscous damping of the free translations and of the free rotation."},
    END};
static const xs_object joint_object = {"joint",
                                       "A joint between two of: bodies, nodes of rods, the ground.",
                                       joint_keys, WORDS("", "at", "frame1+frame2")};
static const xs_type joint = FORM(joint_object);
const xs_type joints = {.kind = XS_TYPE_ARRAY, .phrase = "an array of joints", .item = &joint};
