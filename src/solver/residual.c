/* r_P = M (x [-] x~) - G(x)^T lambda (- h^2 tau where x~ is without it) and r_C = C(x) + alpha~
 * lambda, Tobin & Rucker (51), (52), with C and G evaluated anew at the state handed in. r_P runs
 * over the nodes that can move; the ground takes whatever it is given.
 *
 * Scalar rows have a direction that turns while they are solved, so G(x)^T lambda is not
 * what they did. For them the impulses really applied (a world vector a row, lever arms at
 * x) give primal_applied, and the reactions. */
#include "solver/residual.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "solver/contacts.h"

/* Fills r[6 n_nodes] with M Dx~, less the couples that the solve took; returns its squared norm. */
static double inertial_part(const xs_system *system, const xs_pose *x, double *r_P) {
  double norm2 = 0;
  for (int i = 1; i < system->world->n_nodes; i++) {
    const xs_inertia *inertia = &system->world->inertia[i];
    double *r = r_P + 6 * i;
    if (inertia->inv_mass == 0) {
      memset(r, 0, 6 * sizeof *r);
      continue;
    }
    xs_vec3 dp = xs_vec3_scale(inertia->mass, system->dp[i]);
    xs_vec3 dr = xs_vec3_mul(inertia->moment, xs_so3_minus(x[i].q, system->q_tilde[i]));
    dr = xs_vec3_sub(dr, system->couple[i]);
    r[0] = dp.x, r[1] = dp.y, r[2] = dp.z;
    r[3] = dr.x, r[4] = dr.y, r[5] = dr.z;
    norm2 += xs_vec3_norm2(dp) + xs_vec3_norm2(dr);
  }
  return norm2;
}

/* g[k][6] = G_k^T lambda for the nodes of a block. */
static void row_impulse(const xs_row_block *block, const double *G, const double *lambda,
                        double g[][6]) {
  for (int k = 0; k < block->n_nodes; k++)
    for (int c = 0; c < 6; c++) {
      const double *column = G + (k * 6 + c) * block->n_rows;
      g[k][c] = 0;
      for (int r = 0; r < block->n_rows; r++) g[k][c] += column[r] * lambda[r];
    }
}

/* r_P -= g for the nodes of a block that can move. */
static void take_off(const xs_system *system, const xs_row_block *block, double g[][6],
                     double *r_P) {
  for (int k = 0; k < block->n_nodes; k++) {
    if (system->world->inertia[block->node[k]].inv_mass == 0) continue;
    for (int c = 0; c < 6; c++) r_P[6 * block->node[k] + c] -= g[k][c];
  }
}

static double squared_norm(const xs_system *system, const double *r_P) {
  double norm2 = 0;
  for (int i = 6; i < 6 * system->world->n_nodes; i++) norm2 += r_P[i] * r_P[i];
  return norm2;
}

void xs_residual_add_reaction(const xs_joint *joint, const xs_pose *x2, const double g[6],
                              double to_force, xs_reaction *reaction) {
  xs_vec3 force = xs_vec3_scale(to_force, (xs_vec3){g[0], g[1], g[2]});
  xs_vec3 torque = xs_vec3_scale(to_force, (xs_vec3){g[3], g[4], g[5]});
  torque = xs_vec3_sub(torque, xs_vec3_cross(joint->frame2.r, xs_mat3_tmul_vec(&x2->R, force)));
  reaction->force = xs_vec3_add(reaction->force, force);
  reaction->torque = xs_vec3_add(reaction->torque, xs_mat3_mul_vec(&x2->R, torque));
}

/* Squared norm of r_C of a block; inequality rows that take no part count nothing. */
static double constraint_part(const xs_system *system, const xs_row_block *block, const double *C,
                              const double *lambda) {
  double norm2 = 0;
  for (int r = 0; r < block->n_rows; r++) {
    if (xs_system_inactive(block, C[r], lambda[r])) continue;
    double alpha_tilde = system->h > 0 ? xs_system_alpha_tilde(system, block, r) : 0;
    double r_C = C[r] + alpha_tilde * lambda[r];
    norm2 += r_C * r_C;
  }
  return norm2;
}

/* r_P with the impulses that scalar rows applied in place of G^T lambda. */
static double applied_part(const xs_system *system, const xs_pose *x, double *r_P) {
  inertial_part(system, x, r_P);
  for (int b = 0; b < system->n_blocks; b++) {
    const xs_row_block *block = &system->block[b];
    double g[XS_ROW_NODES_MAX][6], C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    if (block->kind->impulse) {
      block->kind->impulse(block, x, system->impulse[b], g);
    } else {
      block->kind->evaluate(block, x, 0, block->n_rows, C, G);
      row_impulse(block, G, system->lambda + block->first_row, g);
    }
    take_off(system, block, g, r_P);
  }
  if (system->contacts) xs_contacts_gather(system->contacts, x, -1, r_P);
  return sqrt(squared_norm(system, r_P));
}

void xs_residual_evaluate(const xs_system *system, const xs_damping *damping, const xs_pose *x,
                          xs_residual *residual, xs_reaction *reaction) {
  const xs_world *world = system->world;
  const int stepped = system->h > 0, scalar = world->solver.constraints != XS_CONSTRAINTS_VECTOR;
  const double *late = system->contacts ? system->contacts->late : NULL;
  double *r_P = system->momentum;
  double inertial2 = stepped ? inertial_part(system, x, r_P) : 0, constraint2 = 0;
  if (residual) {
    for (int j = 0; j < world->n_joints; j++) residual->joint[j] = 0;
    for (int r = 0; r < world->n_rods; r++) residual->rod[r] = 0;
  }
  if (reaction) memset(reaction, 0, (size_t)world->n_joints * sizeof *reaction);

  for (int b = 0; b < system->n_blocks; b++) {
    const xs_row_block *block = &system->block[b];
    const double *lambda = system->lambda + block->first_row;
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX], g[XS_ROW_NODES_MAX][6] = {{0}};
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);
    const double block2 = constraint_part(system, block, C, lambda);
    constraint2 += block2;
    const int rod = block->entity - world->n_joints;
    if (residual) *(rod < 0 ? &residual->joint[block->entity] : &residual->rod[rod]) += block2;
    if (!stepped) continue;

    row_impulse(block, G, lambda, g);
    take_off(system, block, g, r_P);
    if (!reaction || rod >= 0) continue;
    if (scalar && block->kind->impulse) block->kind->impulse(block, x, system->impulse[b], g);
    const xs_joint *joint = &world->joints[block->entity];
    if (late) { /* what the contacts' velocity pass made of lambda / h */
      row_impulse(block, G, late + block->first_row, g);
      for (int c = 0; c < 6; c++) g[1][c] *= system->h;
    }
    xs_residual_add_reaction(joint, &x[joint->node2], g[1], 1 / (system->h * system->h),
                             &reaction[block->entity]);
  }

  if (system->contacts) {
    constraint2 += xs_contacts_residual2(system->contacts, x, system->h);
    if (stepped) xs_contacts_gather(system->contacts, x, -1, r_P);
  }

  for (int j = 0; j < world->n_joints && reaction && damping && stepped; j++) {
    double g[6];
    xs_damping_reaction(damping, system->h, j, g);
    xs_residual_add_reaction(&world->joints[j], &x[world->joints[j].node2], g, 1, &reaction[j]);
  }
  if (!residual) return;

  const double primal2 = stepped ? squared_norm(system, r_P) : 0;
  residual->primal = sqrt(primal2);
  residual->constraint = sqrt(constraint2);
  residual->primal_relative = primal2 > 0 ? sqrt(primal2 / inertial2) : 0;
  residual->primal_applied = scalar && stepped ? applied_part(system, x, r_P) : residual->primal;
  for (int j = 0; j < world->n_joints; j++) residual->joint[j] = sqrt(residual->joint[j]);
  for (int r = 0; r < world->n_rods; r++) residual->rod[r] = sqrt(residual->rod[r]);
}
