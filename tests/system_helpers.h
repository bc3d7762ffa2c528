/* The system of one substep, set up for a scene given as text: what sweeps, residuals and the
 * velocity pass work on, without the method around them. Nothing is predicted: x~ and x^n are
 * where the bodies stand. */
#ifndef XS_TESTS_SYSTEM_HELPERS_H
#define XS_TESTS_SYSTEM_HELPERS_H

#include "scene_helpers.h"
#include "solver/system.h"

enum { SETTING_JOINTS = 4, SETTING_NODES = 5, SETTING_ROWS = 10 * SETTING_JOINTS };

typedef struct setting {
  loaded scene;
  xs_world *world;
  xs_state *state;
  xs_system system;
  xs_joint_geometry joint[SETTING_JOINTS];
  xs_row_block block[SETTING_JOINTS * XS_JOINT_BLOCKS_MAX];
  double lambda[SETTING_ROWS], torn2[SETTING_JOINTS], momentum[6 * SETTING_NODES];
  xs_vec3 impulse[SETTING_JOINTS * XS_JOINT_BLOCKS_MAX], dp[SETTING_NODES], couple[SETTING_NODES];
  xs_quat q_n[SETTING_NODES], q_tilde[SETTING_NODES];
  int moving[SETTING_NODES];
} setting;

/* members: those of the scene besides its time. */
static inline void setting_load(setting *s, const char *members, double h) {
  xs_world *world = s->world = load_parts(&s->scene, members);
  cr_assert_leq(world->n_nodes, SETTING_NODES);
  cr_assert_leq(world->n_joints, SETTING_JOINTS);
  cr_assert_eq(xs_state_create(world, &s->scene.arena, &s->state, &s->scene.report), XS_OK);

  xs_system *system = &s->system;
  *system = (xs_system){.world = world,
                        .h = h,
                        .moving = s->moving,
                        .block = s->block,
                        .joint = s->joint,
                        .lambda = s->lambda,
                        .impulse = s->impulse,
                        .q_n = s->q_n,
                        .q_tilde = s->q_tilde,
                        .dp = s->dp,
                        .couple = s->couple,
                        .momentum = s->momentum,
                        .singular = -1,
                        .torn2 = s->torn2};
  for (int i = 0; i < world->n_nodes; i++) {
    s->q_n[i] = s->q_tilde[i] = s->state->x[i].q;
    if (world->inertia[i].inv_mass > 0) s->moving[system->n_moving++] = i;
  }
  for (int j = 0; j < world->n_joints; j++) {
    s->torn2[j] = 1e30;
    xs_joint_geometry_init(&world->joints[j], &s->state->turn[j], &s->joint[j]);
    s->state->turn[j] = xs_joint_turn_start(&s->joint[j], s->state->x);
    system->n_blocks += xs_joint_blocks(&world->joints[j], &s->joint[j], world->solver.constraints,
                                        j, &system->n_rows, &s->block[system->n_blocks]);
  }
  system->n_swept = system->n_blocks;
  system->swept = (xs_part){.n = system->n_moving, .node = s->moving, .drift = -1};
  cr_assert_leq(system->n_rows, SETTING_ROWS);
}

/* C and the dense gradient of all rows, 6 columns a node, at the state's poses. */
static inline void setting_rows(const setting *s, double C[SETTING_ROWS],
                                double J[SETTING_ROWS][6 * SETTING_NODES]) {
  memset(J, 0, sizeof(double) * SETTING_ROWS * 6 * SETTING_NODES);
  for (int b = 0; b < s->system.n_blocks; b++) {
    const xs_row_block *block = &s->block[b];
    double values[XS_ROWS_MAX], G[XS_ROWS_MAX * 6 * XS_ROW_NODES_MAX];
    block->kind->evaluate(block, s->state->x, 0, block->n_rows, values, G);
    for (int r = 0; r < block->n_rows; r++) {
      C[block->first_row + r] = values[r];
      for (int k = 0; k < block->n_nodes; k++)
        for (int c = 0; c < 6; c++)
          J[block->first_row + r][6 * block->node[k] + c] = G[(k * 6 + c) * block->n_rows + r];
    }
  }
}

/* g = J^T lambda, 6 a node; the ground's part is left out. */
static inline void setting_impulse(const setting *s, double J[SETTING_ROWS][6 * SETTING_NODES],
                                   double g[6 * SETTING_NODES]) {
  for (int c = 0; c < 6 * SETTING_NODES; c++) {
    g[c] = 0;
    for (int r = 0; c >= 6 && r < s->system.n_rows; r++) g[c] += J[r][c] * s->lambda[r];
  }
}

static inline void setting_free(setting *s) { xs_arena_free(&s->scene.arena); }

#endif
