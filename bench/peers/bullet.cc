/* Bullet as a peer: see peer.h.
 *
 * MODE: SOLVER[,ERP[,anchor]], in maximal coordinates "si10", "si100", ... (sequential impulses, so
 * many sweeps; 10 is the default), "dantzig", "lemke" (the MLCP solvers); in reduced
 * coordinates (Featherstone's algorithm, btMultiBody) "multibody" and "multibody-rk4". A joint
 * that closes a loop is a point-to-point constraint there. ERP: error reduction of joints and
 * contacts, Bullet's default where below 0 or left out. "anchor": friction holds positions
 * (CF_HAS_FRICTION_ANCHOR). No damping, no sleeping. */
#include <vector>

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include "peer.h"

namespace {

struct Simulation {
  peer_scene scene;
  btDiscreteDynamicsWorld *world;
  std::vector<btRigidBody *> body;
  bool anchor; /* friction */
  btMultiBody *multibody = nullptr;
  std::vector<int> link; /* of body i */
  double h;
};

btVector3 vector(const double a[3]) { return btVector3(a[0], a[1], a[2]); }
btQuaternion quaternion(const double q[4]) { return btQuaternion(q[1], q[2], q[3], q[0]); }

btVector3 local(const Simulation &s, int body, const double a[3], int point) {
  double to[3];
  peer_local(&s.scene, body, a, point, to);
  return vector(to);
}

int advance(void *sim, long n) {
  Simulation *s = static_cast<Simulation *>(sim);
  for (long i = 0; i < n; i++) s->world->stepSimulation(s->h, 0);
  return 1;
}

void put(double *row, const btVector3 &p, const btQuaternion &q, const btVector3 &v,
         const btVector3 &omega) {
  const double values[PEER_BODY] = {p.x(), p.y(), p.z(), q.w(),     q.x(),     q.y(),    q.z(),
                                    v.x(), v.y(), v.z(), omega.x(), omega.y(), omega.z()};
  memcpy(row, values, sizeof values);
}

void record(void *sim, double *row) {
  Simulation *s = static_cast<Simulation *>(sim);
  if (s->multibody == nullptr) {
    for (btRigidBody *b : s->body) {
      put(row, b->getCenterOfMassPosition(), b->getOrientation(), b->getLinearVelocity(),
          b->getAngularVelocity());
      row += PEER_BODY;
    }
    return;
  }
  const btMultiBody &m = *s->multibody;
  std::vector<btVector3> omega(static_cast<size_t>(m.getNumLinks()) + 1), v(omega.size());
  m.compTreeLinkVelocities(omega.data(), v.data()); /* in the links' axes */
  for (int link : s->link) {
    btQuaternion q;
    m.localFrameToWorld(link, btMatrix3x3::getIdentity()).getRotation(q);
    const size_t i = static_cast<size_t>(link) + 1;
    put(row, m.localPosToWorld(link, btVector3(0, 0, 0)), q, m.localDirToWorld(link, v[i]),
        m.localDirToWorld(link, omega[i]));
    row += PEER_BODY;
  }
}

/* ---- Maximal coordinates ------------------------------------------------------------- */

void make_body(Simulation &s, const peer_body &b) {
  btCollisionShape *shape = b.is_box
                                ? static_cast<btCollisionShape *>(new btBoxShape(vector(b.half)))
                                : static_cast<btCollisionShape *>(new btEmptyShape());
  btRigidBody::btRigidBodyConstructionInfo info(b.m, nullptr, shape, vector(b.I));
  info.m_startWorldTransform = btTransform(quaternion(b.q), vector(b.p));
  /* Coefficients of a pair are multiplied; see make_floor. */
  info.m_friction = s.scene.has_floor ? sqrt(s.scene.mu_box) : 0;
  btRigidBody *body = new btRigidBody(info);
  body->setLinearVelocity(vector(b.v));
  body->setActivationState(DISABLE_DEACTIVATION);
  if (s.anchor)
    body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_HAS_FRICTION_ANCHOR);
  if (b.is_box)
    s.world->addRigidBody(body);
  else
    s.world->addRigidBody(body, 0, 0);
  s.body.push_back(body);
}

void make_floor(Simulation &s) {
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr,
                                                new btStaticPlaneShape(btVector3(0, 0, 1), 0));
  info.m_friction = s.scene.mu_floor / sqrt(s.scene.mu_box);
  s.world->addRigidBody(new btRigidBody(info));
}

/* Joint frames with z along the axis. */
btTransform joint_frame(const Simulation &s, int body, const peer_joint &j) {
  const btVector3 z = local(s, body, j.axis, 0);
  const btVector3 world_z = vector(j.axis);
  double x[3] = {0, 0, 0};
  const btVector3 across =
      world_z.cross(fabs(world_z.z()) < 0.9 ? btVector3(0, 0, 1) : btVector3(1, 0, 0)).normalized();
  for (int i = 0; i < 3; i++) x[i] = across[i];
  const btVector3 local_x = local(s, body, x, 0), y = z.cross(local_x);
  return btTransform(
      btMatrix3x3(local_x.x(), y.x(), z.x(), local_x.y(), y.y(), z.y(), local_x.z(), y.z(), z.z()),
      local(s, body, j.p, 1));
}

void make_joint(Simulation &s, const peer_joint &j) {
  const int one = j.body[0], other = j.body[1];
  btRigidBody &b2 = *s.body[static_cast<size_t>(other)];
  btRigidBody &b1 = one < 0 ? btTypedConstraint::getFixedBody() : *s.body[static_cast<size_t>(one)];
  btTypedConstraint *joint;
  if (j.is_revolute)
    joint = new btHingeConstraint(b1, b2, joint_frame(s, one, j), joint_frame(s, other, j));
  else
    joint = new btPoint2PointConstraint(b1, b2, local(s, one, j.p, 1), local(s, other, j.p, 1));
  s.world->addConstraint(joint, true);
}

/* ---- Reduced coordinates ------------------------------------------------------------- */

/* Joints in their order, as far as each brings a new body, are the tree; the others close loops. */
void make_multibody(Simulation &s, btMultiBodyDynamicsWorld *world, bool rk4) {
  const int n = s.scene.n_bodies;
  btMultiBody *m = new btMultiBody(n, 0, btVector3(0, 0, 0), true, false);
  std::vector<const peer_joint *> loops;
  int links = 0;
  s.link.assign(static_cast<size_t>(n), -2);
  for (int k = 0; k < s.scene.n_joints; k++) {
    const peer_joint &j = s.scene.joint[k];
    const int one = j.body[0], other = j.body[1];
    if (s.link[static_cast<size_t>(other)] != -2) {
      loops.push_back(&j);
      continue;
    }
    const peer_body &b = s.scene.body[other];
    const int parent = one < 0 ? -1 : s.link[static_cast<size_t>(one)];
    const btQuaternion q1 = one < 0 ? btQuaternion(0, 0, 0, 1) : quaternion(s.scene.body[one].q);
    const btQuaternion parent_to_this = quaternion(b.q).inverse() * q1;
    const btVector3 to_pivot = local(s, one, j.p, 1), to_com = -local(s, other, j.p, 1);
    if (j.is_revolute)
      m->setupRevolute(links, b.m, vector(b.I), parent, parent_to_this, local(s, other, j.axis, 0),
                       to_pivot, to_com, true);
    else
      m->setupSpherical(links, b.m, vector(b.I), parent, parent_to_this, to_pivot, to_com, true);
    s.link[static_cast<size_t>(other)] = links++;
  }
  m->finalizeMultiDof();
  m->setLinearDamping(0);
  m->setAngularDamping(0);
  m->setUseGyroTerm(true);
  m->useRK4Integration(rk4);
  m->setCanSleep(false);
  world->addMultiBody(m);
  s.multibody = m;
  for (const peer_joint *j : loops) {
    const int link = s.link[static_cast<size_t>(j->body[1])];
    /* Bullet solves a constraint with the island that the link's collider is in; without one it
     * would be left out. This one touches nothing. */
    btMultiBodyLinkCollider *collider = new btMultiBodyLinkCollider(m, link);
    collider->setCollisionShape(new btEmptyShape());
    collider->setActivationState(DISABLE_DEACTIVATION);
    world->addCollisionObject(collider, 0, 0);
    m->getLink(link).m_collider = collider;
    const btVector3 here = local(s, j->body[1], j->p, 1), there = local(s, j->body[0], j->p, 1);
    btMultiBodyPoint2Point *closure =
        j->body[0] < 0 ? new btMultiBodyPoint2Point(m, link, nullptr, here, there)
                       : new btMultiBodyPoint2Point(
                             m, link, m, s.link[static_cast<size_t>(j->body[0])], here, there);
    closure->setMaxAppliedImpulse(1e30);
    closure->finalizeMultiDof();
    world->addMultiBodyConstraint(closure);
  }
}

}  // namespace

int main(int argc, char **argv) {
  static Simulation sim;
  char solver[24];
  double erp = -1;
  int sweeps = 0;
  peer_run run = peer_arguments(argc, argv);
  peer_read(run.scene, &sim.scene);
  sim.h = run.h;
  if (sscanf(run.mode, "%23[a-z0-9-],%lf", solver, &erp) < 1) peer_fail("no mode", run.mode);
  sim.anchor = strstr(run.mode, ",anchor") != nullptr;
  const bool reduced = strncmp(solver, "multibody", 9) == 0;

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyDynamicsWorld *reduced_world = nullptr;
  if (reduced) {
    reduced_world = new btMultiBodyDynamicsWorld(&dispatcher, &broadphase,
                                                 new btMultiBodyConstraintSolver, &configuration);
    sim.world = reduced_world;
    sim.world->getSolverInfo().m_numIterations = 100;
  } else {
    btConstraintSolver *method = nullptr;
    if (strcmp(solver, "dantzig") == 0) method = new btMLCPSolver(new btDantzigSolver);
    if (strcmp(solver, "lemke") == 0) method = new btMLCPSolver(new btLemkeSolver);
    if (sscanf(solver, "si%d", &sweeps) == 1) method = new btSequentialImpulseConstraintSolver;
    if (!method) peer_fail("modes are si<sweeps>, dantzig, lemke, multibody[-rk4]", run.mode);
    sim.world = new btDiscreteDynamicsWorld(&dispatcher, &broadphase, method, &configuration);
    if (sweeps > 0) sim.world->getSolverInfo().m_numIterations = sweeps;
  }
  if (erp >= 0) sim.world->getSolverInfo().m_erp = sim.world->getSolverInfo().m_erp2 = erp;
  sim.world->setGravity(vector(sim.scene.gravity));

  if (reduced) {
    make_multibody(sim, reduced_world, strcmp(solver, "multibody-rk4") == 0);
  } else {
    for (int i = 0; i < sim.scene.n_bodies; i++) make_body(sim, sim.scene.body[i]);
    if (sim.scene.has_floor) make_floor(sim);
    for (int i = 0; i < sim.scene.n_joints; i++) make_joint(sim, sim.scene.joint[i]);
  }
  peer_loop(&run, sim.scene.n_bodies, advance, record, &sim);
  return 0;
}
