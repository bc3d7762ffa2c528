/* The Open Dynamics Engine as a peer: see peer.h.
 *
 * MODE: SOLVER[,ERP[,CFM]] with SOLVER "world" (dWorldStep: one dense system, Dantzig's
 * algorithm) or "quick20", "quick100", ... (dWorldQuickStep: so many sweeps of Gauss-Seidel).
 * ERP, CFM: ODE's defaults where left out. Rotations are integrated by a finite turn a step, the
 * better of ODE's two ways; gyroscopic torque as by default (implicit); nothing sleeps. */
#include <ode/ode.h>

#include "peer.h"

enum { CONTACTS_MAX = 8 };

typedef struct simulation {
  peer_scene scene;
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  dGeomID floor;
  dBodyID body[PEER_MAX];
  double h;
  int quick; /* sweeps; 0: dWorldStep */
} simulation;

static void collide(void *sim, dGeomID one, dGeomID other) {
  simulation *s = sim;
  dContact contact[CONTACTS_MAX];
  const int n = dCollide(one, other, CONTACTS_MAX, &contact[0].geom, sizeof(dContact));
  const double mu = one == s->floor || other == s->floor ? s->scene.mu_floor : s->scene.mu_box;
  for (int i = 0; i < n; i++) {
    contact[i].surface.mode = dContactApprox1;
    contact[i].surface.mu = mu;
    dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[i]), dGeomGetBody(one),
                 dGeomGetBody(other));
  }
}

static int advance(void *sim, long n) {
  simulation *s = sim;
  for (long i = 0; i < n; i++) {
    if (s->space) dSpaceCollide(s->space, s, collide);
    if (s->quick)
      dWorldQuickStep(s->world, s->h);
    else
      dWorldStep(s->world, s->h);
    if (s->space) dJointGroupEmpty(s->contacts);
  }
  return 1;
}

static void record(void *sim, double *row) {
  const simulation *s = sim;
  for (int i = 0; i < s->scene.n_bodies; i++, row += PEER_BODY) {
    memcpy(row, dBodyGetPosition(s->body[i]), 3 * sizeof(double));
    memcpy(row + 3, dBodyGetQuaternion(s->body[i]), 4 * sizeof(double));
    memcpy(row + 7, dBodyGetLinearVel(s->body[i]), 3 * sizeof(double));
    memcpy(row + 10, dBodyGetAngularVel(s->body[i]), 3 * sizeof(double));
  }
}

static void make_body(simulation *s, int i) {
  const peer_body *b = &s->scene.body[i];
  dMass mass;
  s->body[i] = dBodyCreate(s->world);
  dMassSetParameters(&mass, b->m, 0, 0, 0, b->I[0], b->I[1], b->I[2], 0, 0, 0);
  dBodySetMass(s->body[i], &mass);
  dBodySetPosition(s->body[i], b->p[0], b->p[1], b->p[2]);
  dBodySetQuaternion(s->body[i], b->q);
  dBodySetLinearVel(s->body[i], b->v[0], b->v[1], b->v[2]);
  dBodySetFiniteRotationMode(s->body[i], 1);
  if (b->is_box) {
    dGeomID geom = dCreateBox(s->space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
    dGeomSetBody(geom, s->body[i]);
  }
}

static void make_joint(simulation *s, const peer_joint *j) {
  dJointID joint =
      j->is_revolute ? dJointCreateHinge(s->world, NULL) : dJointCreateBall(s->world, NULL);
  dJointAttach(joint, j->body[0] < 0 ? NULL : s->body[j->body[0]], s->body[j->body[1]]);
  if (j->is_revolute) {
    dJointSetHingeAnchor(joint, j->p[0], j->p[1], j->p[2]);
    dJointSetHingeAxis(joint, j->axis[0], j->axis[1], j->axis[2]);
  } else {
    dJointSetBallAnchor(joint, j->p[0], j->p[1], j->p[2]);
  }
}

int main(int argc, char **argv) {
  static simulation sim;
  char solver[16];
  double erp = -1, cfm = -1;
  peer_run run = peer_arguments(argc, argv);
  peer_read(run.scene, &sim.scene);
  sim.h = run.h;
  if (sscanf(run.mode, "%15[a-z0-9],%lf,%lf", solver, &erp, &cfm) < 1 ||
      (strcmp(solver, "world") != 0 && sscanf(solver, "quick%d", &sim.quick) != 1))
    peer_fail("modes are SOLVER[,ERP[,CFM]], solver world or quick<sweeps>", run.mode);

  dInitODE2(0);
  dRandSetSeed(1); /* QuickStep shuffles its rows */
  sim.world = dWorldCreate();
  dWorldSetGravity(sim.world, sim.scene.gravity[0], sim.scene.gravity[1], sim.scene.gravity[2]);
  dWorldSetAutoDisableFlag(sim.world, 0);
  if (erp >= 0) dWorldSetERP(sim.world, erp);
  if (cfm >= 0) dWorldSetCFM(sim.world, cfm);
  if (sim.quick) dWorldSetQuickStepNumIterations(sim.world, sim.quick);
  if (sim.scene.has_floor) {
    sim.space = dHashSpaceCreate(NULL);
    sim.contacts = dJointGroupCreate(0);
    sim.floor = dCreatePlane(sim.space, 0, 0, 1, 0);
  }
  for (int i = 0; i < sim.scene.n_bodies; i++) make_body(&sim, i);
  for (int i = 0; i < sim.scene.n_joints; i++) make_joint(&sim, &sim.scene.joint[i]);
  peer_loop(&run, sim.scene.n_bodies, advance, record, &sim);
  dWorldDestroy(sim.world);
  dCloseODE();
  return 0;
}
