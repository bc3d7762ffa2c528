/* MuJoCo as a peer: see peer.h.
 *
 * SCENE is a model in MuJoCo's own format, which scenes.py writes with the integrator and all
 * settings in it; MODE says nothing more. Bodies are recorded in the order of their names b0,
 * b1, ... Poses and velocities of a record come from a second mjData, so that recording does
 * not change what the next step starts from. */
#include <mujoco/mujoco.h>

#include "peer.h"

typedef struct simulation {
  mjModel *model;
  mjData *data, *seen;
  int n_bodies, id[PEER_MAX];
} simulation;

static int advance(void *sim, long n) {
  simulation *s = sim;
  for (long i = 0; i < n; i++) mj_step(s->model, s->data);
  if (s->data->warning[mjWARN_CONTACTFULL].number || s->data->warning[mjWARN_CNSTRFULL].number)
    peer_fail("no room for all contacts", "mujoco");
  /* MuJoCo starts again from t = 0 when a number goes bad, and only counts a warning. */
  return s->data->warning[mjWARN_BADQPOS].number == 0 &&
         s->data->warning[mjWARN_BADQVEL].number == 0 &&
         s->data->warning[mjWARN_BADQACC].number == 0;
}

static void record(void *sim, double *row) {
  simulation *s = sim;
  memcpy(s->seen->qpos, s->data->qpos, (size_t)s->model->nq * sizeof(mjtNum));
  memcpy(s->seen->qvel, s->data->qvel, (size_t)s->model->nv * sizeof(mjtNum));
  mj_kinematics(s->model, s->seen);
  mj_comPos(s->model, s->seen);
  mj_comVel(s->model, s->seen);
  for (int i = 0; i < s->n_bodies; i++, row += PEER_BODY) {
    const int b = s->id[i];
    mjtNum velocity[6]; /* rotation, translation, at the body's origin, world axes */
    memcpy(row, s->seen->xpos + 3 * b, 3 * sizeof(double));
    memcpy(row + 3, s->seen->xquat + 4 * b, 4 * sizeof(double));
    mj_objectVelocity(s->model, s->seen, mjOBJ_XBODY, b, velocity, 0);
    memcpy(row + 7, velocity + 3, 3 * sizeof(double));
    memcpy(row + 10, velocity, 3 * sizeof(double));
  }
}

/* Instead of MuJoCo's own, which waits for a key. */
static void fail(const char *message) { peer_fail(message, "mujoco"); }

int main(int argc, char **argv) {
  static simulation sim;
  char error[1000] = "";
  peer_run run = peer_arguments(argc, argv);
  mju_user_error = fail;
  sim.model = mj_loadXML(run.scene, NULL, error, sizeof error);
  if (!sim.model) peer_fail(error, run.scene);
  sim.model->opt.timestep = run.h;
  sim.data = mj_makeData(sim.model);
  sim.seen = mj_makeData(sim.model);
  sim.n_bodies = sim.model->nbody - 1;
  for (int i = 0; i < sim.n_bodies; i++) {
    char name[16];
    snprintf(name, sizeof name, "b%d", i);
    sim.id[i] = mj_name2id(sim.model, mjOBJ_BODY, name);
    if (sim.id[i] < 0) peer_fail("no body of that name", name);
  }
  if (sim.model->nkey > 0) mj_resetDataKeyframe(sim.model, sim.data, 0);
  mj_forward(sim.model, sim.data);
  peer_loop(&run, sim.n_bodies, advance, record, &sim);
  mj_deleteData(sim.seen);
  mj_deleteData(sim.data);
  mj_deleteModel(sim.model);
  return 0;
}
