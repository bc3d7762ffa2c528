/* xsim through its library, as a peer of the others: see peer.h.
 *
 * SCENE is a scene of xsim's own here, its bodies with their principal axes along their frames
 * and a fixed one last, and MODE a JSON object, its "solver". */
#include "app/about.h"
#include "app/setup.h"
#include "peer.h"

typedef struct simulation {
  xs_setup setup;
  xs_report report;
  int n_bodies; /* those that move, which come first */
} simulation;

static int advance(void *sim, long n) {
  simulation *s = sim;
  for (long i = 0; i < n; i++)
    if (s->setup.method->step(s->setup.method_self, s->setup.state, NULL, &s->report) != XS_OK)
      return 0;
  return 1;
}

static void record(void *sim, double *row) {
  const simulation *s = sim;
  for (int i = 0; i < s->n_bodies; i++, row += PEER_BODY) {
    const int node = s->setup.world->bodies[i].node;
    const xs_pose x = s->setup.state->x[node];
    const xs_vec3 v = s->setup.state->v[node], omega = s->setup.state->omega[node];
    memcpy(row, &(const double[7]){x.p.x, x.p.y, x.p.z, x.q.w, x.q.x, x.q.y, x.q.z},
           7 * sizeof(double));
    memcpy(row + 7, &(const double[3]){v.x, v.y, v.z}, 3 * sizeof(double));
    peer_turn(row + 3, (const double[3]){omega.x, omega.y, omega.z}, 0, row + 10);
  }
}

int main(int argc, char **argv) {
  static simulation sim;
  xs_arena arena = {0};
  char solver[512], step[64];
  peer_run run = peer_arguments(argc, argv);
  snprintf(solver, sizeof solver, "solver=%s", run.mode);
  snprintf(step, sizeof step, "time.step=%.17g", run.h);
  const char *set[2] = {solver, step};
  const xs_options options = {
      .command = XS_COMMAND_RUN, .scene = run.scene, .n_set = 2, .set = set};

  xs_status status = xs_setup_create(&options, &arena, &sim.setup, &sim.report);
  if (status == XS_OK && sim.setup.method->start)
    status = sim.setup.method->start(sim.setup.method_self, sim.setup.state, &sim.report);
  if (status == XS_OK) {
    const xs_world *world = sim.setup.world;
    for (int i = 0; i < world->n_bodies; i++) sim.n_bodies += !world->bodies[i].fixed;
    peer_loop(&run, sim.n_bodies, advance, record, &sim);
  }
  xs_report_print(&sim.report, stderr, XS_REPORT_AS_TEXT, 0);
  xs_arena_free(&arena);
  return (int)status;
}
