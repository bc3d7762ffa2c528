/* r_P = M (x [-] x~) - G(x)^T lambda and r_C = C(x) + alpha~ lambda, Tobin & Rucker (51),
 * (52), with C and G evaluated anew at the state handed in. r_P runs over the nodes that
 * can move; the ground takes whatever it is given. */
#include "solver/residual.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"

/* Fills momentum with M Dx~; returns its squared norm. */
static double inertial_part(const xs_system *system, const xs_pose *x) {
  double norm2 = 0;
  for (int i = 1; i < system->world->n_nodes; i++) {
    const xs_inertia *inertia = &system->world->inertia[i];
    double *r = system->momentum + 6 * i;
    if (inertia->inv_mass == 0) {
      memset(r, 0, 6 * sizeof *r);
      continue;
    }
    xs_vec3 dp = xs_vec3_scale(inertia->mass, system->dp[i]);
    xs_vec3 dr = xs_vec3_mul(inertia->moment, xs_so3_minus(x[i].q, system->q_tilde[i]));
    r[0] = dp.x, r[1] = dp.y, r[2] = dp.z;
    r[3] = dr.x, r[4] = dr.y, r[5] = dr.z;
    norm2 += xs_vec3_norm2(dp) + xs_vec3_norm2(dr);
  }
  return norm2;
}

/* g = G_k^T lambda for node k of a block, six components. */
static void impulse(const xs_row_block *block, const double *G, const double *lambda, int k,
                    double g[6]) {
  for (int c = 0; c < 6; c++) {
    const double *column = G + (k * 6 + c) * block->n_rows;
    g[c] = 0;
    for (int r = 0; r < block->n_rows; r++) g[c] += column[r] * lambda[r];
  }
}

/* G^T lambda / h^2 on body 2, moved from its centre of mass to the joint frame. */
static xs_reaction reaction_at_joint(const xs_joint *joint, const xs_pose *x2, const double g[6],
                                     double h) {
  double to_force = 1 / (h * h);
  xs_vec3 force = xs_vec3_scale(to_force, (xs_vec3){g[0], g[1], g[2]});
  xs_vec3 torque = xs_vec3_scale(to_force, (xs_vec3){g[3], g[4], g[5]});
  torque = xs_vec3_sub(torque, xs_vec3_cross(joint->frame2.r, xs_mat3_tmul_vec(&x2->R, force)));
  return (xs_reaction){force, xs_mat3_mul_vec(&x2->R, torque)};
}

void xs_residual_evaluate(const xs_system *system, const xs_pose *x, xs_residual *residual,
                          xs_reaction *reaction) {
  const xs_world *world = system->world;
  double inertial2 = system->h > 0 ? inertial_part(system, x) : 0, constraint2 = 0;
  if (residual) memset(residual->joint, 0, (size_t)world->n_joints * sizeof(double));
  if (reaction) memset(reaction, 0, (size_t)world->n_joints * sizeof *reaction);

  for (int b = 0; b < system->n_blocks; b++) {
    const xs_row_block *block = &system->block[b];
    double C[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX], block2 = 0;
    const double *lambda = system->lambda + block->first_row;
    block->kind->evaluate(block, x, 0, block->n_rows, C, G);

    /* r_C, squares kept by joint */
    for (int r = 0; r < block->n_rows; r++) {
      double alpha_tilde =
          block->alpha && system->h > 0 ? block->alpha[r] / (system->h * system->h) : 0;
      double r_C = C[r] + alpha_tilde * lambda[r];
      block2 += r_C * r_C;
    }
    constraint2 += block2;
    if (residual) residual->joint[block->entity] += block2;
    if (!(system->h > 0)) continue;

    /* r_P loses G^T lambda; the same product is the reaction */
    for (int k = 0; k < block->n_nodes; k++) {
      double g[6], *r = system->momentum + 6 * block->node[k];
      impulse(block, G, lambda, k, g);
      if (k == 1 && reaction) {
        const xs_joint *joint = &world->joints[block->entity];
        xs_reaction part = reaction_at_joint(joint, &x[joint->node2], g, system->h);
        xs_reaction *sum = &reaction[block->entity];
        sum->force = xs_vec3_add(sum->force, part.force);
        sum->torque = xs_vec3_add(sum->torque, part.torque);
      }
      if (world->inertia[block->node[k]].inv_mass == 0) continue;
      for (int c = 0; c < 6; c++) r[c] -= g[c];
    }
  }
  if (!residual) return;

  double primal2 = 0;
  if (system->h > 0)
    for (int i = 6; i < 6 * world->n_nodes; i++)
      primal2 += system->momentum[i] * system->momentum[i];
  residual->primal = sqrt(primal2);
  residual->constraint = sqrt(constraint2);
  residual->primal_relative = primal2 > 0 ? sqrt(primal2 / inertial2) : 0;
  for (int j = 0; j < world->n_joints; j++) residual->joint[j] = sqrt(residual->joint[j]);
}
