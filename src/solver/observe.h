/* Observation: what is recorded of an instant, computed from a state.
 *
 * Holds every recorded number except time, step and timing, in the frames and signs of
 * the result file: bodies in the scene's frames, not the principal ones. What is along rods
 * stays empty when output.fields has no rods. */
#ifndef XS_SOLVER_OBSERVE_H
#define XS_SOLVER_OBSERVE_H

#include "constraint/joint.h"
#include "solver/method.h"

typedef struct xs_observation {
  int n_bodies, n_joints, n_rods;
  xs_vec3 *position;         /* n_bodies: centre of mass, m, world */
  xs_quat *orientation;      /* n_bodies: scene's body frame -> world */
  xs_vec3 *linear_velocity;  /* n_bodies: of the centre of mass, m/s, world */
  xs_vec3 *angular_velocity; /* n_bodies: rad/s, scene's body frame */
  xs_vec3 *joint_force;      /* n_joints, N, world, on body 2 at the joint frame */
  xs_vec3 *joint_torque;     /* n_joints, N m */
  xs_vec3 *joint_coordinate; /* n_joints: joint.h, xs_joint_coordinate */
  /* Nodes of all rods one after the other, n_rod_nodes, then their Gauss points */
  int n_rod_nodes, n_rod_points;
  xs_vec3 *rod_position;         /* m, world */
  xs_quat *rod_orientation;      /* node frame -> world */
  xs_vec3 *rod_linear_velocity;  /* m/s, world */
  xs_vec3 *rod_angular_velocity; /* rad/s, node frame */
  xs_vec3 *rod_strain_shear;     /* n_rod_points: v - v*, material frame */
  xs_vec3 *rod_strain_bend;      /* u - u*, 1/m */
  xs_vec3 *rod_force;            /* K times strain, N */
  xs_vec3 *rod_moment;           /* N m */
  double *rod_energy;            /* 4 n_rods: shear, stretch, bend, twist, J */
  xs_residual residual;
  double lowest_eigenvalue;                  /* 1/s^2: method.h, stability; 0 without */
  double negative_eigenvalues;               /* how many are below 0 */
  double kinetic, gravity, elastic, total;   /* J */
  xs_vec3 linear_momentum, angular_momentum; /* kg m/s; kg m^2/s about the world origin */
  xs_touching touching;
  /* work space */
  xs_reaction *reaction;       /* n_joints */
  xs_joint_geometry *geometry; /* n_joints */
} xs_observation;

xs_status xs_observe_create(const xs_world *world, xs_arena *arena, xs_observation **observation,
                            xs_report *report);

/* Fills the observation; method_self is what method->create gave. */
void xs_observe(const xs_world *world, const xs_method *method, void *method_self,
                const xs_state *state, xs_observation *observation);

/* A contact as it is recorded. */
typedef struct xs_observed_contact {
  int64_t pair[6];       /* kind (0 body, 1 rod), index, index of shape or element: of both sides */
  xs_vec3 point, normal; /* middle between the surfaces, m; from side 2 to side 1 */
  double gap;            /* m */
  xs_vec3 force;         /* on side 1, N, world */
  double xi[2];          /* place in the element of a rod's side; else 0 */
} xs_observed_contact;

/* Contacts there may be, and the k-th of them at the poses x; 0 if it neither bears nor overlaps.
 */
int xs_observe_contacts(const xs_observation *observation);
int xs_observe_contact(const xs_observation *observation, const xs_pose *x, int k,
                       xs_observed_contact *contact);

/* XS_OK if all numbers of the observation are finite. Otherwise `failure` with a message that
 * names the first that is not, of energies, momenta, residuals, bodies, joints, in this order. */
xs_status xs_observe_check(const xs_world *world, const xs_state *state,
                           const xs_observation *observation, xs_status failure, xs_report *report);

#endif
