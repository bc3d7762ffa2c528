// Joints, contacts and paths: small marks on top of what is solid.
import * as THREE from "three";

import {quaternion} from "./bodies.js";
import {BODIES, CONTACT} from "./colour.js";

const one = new THREE.Vector3(1, 1, 1), up = new THREE.Vector3(0, 0, 1);
const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion();
const from = new THREE.Vector3(), to = new THREE.Vector3(), scale = new THREE.Vector3();

function instances(geometry, material, count) {
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, count));
  mesh.frustumCulled = false;
  mesh.count = count;
  return mesh;
}

// ---- Joints: a pin for an axis, a ball for a point, a slide for a way, a cube for all ----

const GLYPHS = {
  revolute: r => new THREE.CylinderGeometry(r, r, 4 * r, 20).rotateX(Math.PI / 2),
  spherical: r => new THREE.SphereGeometry(1.4 * r, 20, 14),
  prismatic: r => new THREE.BoxGeometry(1.2 * r, 1.2 * r, 4 * r),
  planar: r => new THREE.CylinderGeometry(3 * r, 3 * r, 0.4 * r, 24).rotateX(Math.PI / 2),
  distance: r => new THREE.OctahedronGeometry(1.3 * r),
  fixed: r => new THREE.BoxGeometry(1.6 * r, 1.6 * r, 1.6 * r),
};

export class Joints {
  constructor(data, bodies, rods, size) {
    this.group = new THREE.Group();
    Object.assign(this, {bodies, rods});
    this.material = new THREE.MeshStandardMaterial({color: "#475467", roughness: 0.4, metalness: 0.3});
    this.meshes = Object.keys(GLYPHS).map(type => {
      const joints = data.joints.filter(joint => joint.type === type).map(joint => ({
        ...joint, local: new THREE.Matrix4().compose(new THREE.Vector3(...joint.at),
          quaternion(joint.turn), one)}));
      const mesh = instances(GLYPHS[type](size), this.material, joints.length);
      mesh.userData.joints = joints;
      this.group.add(mesh);
      return mesh;
    });
  }

  update() {
    if (!this.group.visible) return;
    for (const mesh of this.meshes) {
      mesh.userData.joints.forEach((joint, i) => {
        if (joint.on === "ground") matrix.copy(joint.local);
        else if (joint.on === "body") this.bodies.pose(joint.index, matrix).multiply(joint.local);
        else {
          const {p, q} = this.rods[joint.index], k = joint.node;
          matrix.compose(from.fromArray(p, 3 * k),
            turn.set(q[4 * k + 1], q[4 * k + 2], q[4 * k + 3], q[4 * k]), one).multiply(joint.local);
        }
        mesh.setMatrixAt(i, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

// ---- Contacts: a dot, and an arrow along the force, longer with its square root ----

export class Contacts {
  constructor(data, diagonal) {
    this.group = new THREE.Group();
    if (!data.contacts) return;
    this.first = data.array("contact.first");
    this.point = data.array("contact.point");
    this.force = data.array("contact.force");
    let most = 0, strongest = 0;
    for (let i = 0; i < this.first.length - 1; i++) most = Math.max(most, this.first[i + 1] - this.first[i]);
    for (let i = 0; i < this.force.length; i += 3)
      strongest = Math.max(strongest, Math.hypot(...this.force.subarray(i, i + 3)) || 0);
    this.strongest = strongest || 1;
    this.length = 0.16 * diagonal;
    const r = 0.0035 * diagonal;
    // Contacts lie where solids hide them.
    const material = new THREE.MeshBasicMaterial({color: CONTACT, depthTest: false, transparent: true});
    this.dots = instances(new THREE.SphereGeometry(1.7 * r, 12, 8), material, most);
    this.shafts = instances(new THREE.CylinderGeometry(0.45 * r, 0.45 * r, 1, 8)
      .translate(0, 0.5, 0).rotateX(Math.PI / 2), material, most);
    this.heads = instances(new THREE.ConeGeometry(1.3 * r, 4 * r, 12)
      .rotateX(Math.PI / 2), material, most);
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.renderOrder = 5;
      this.group.add(mesh);
    }
  }

  update(record) {
    if (!this.dots || !this.group.visible) return;
    const begin = this.first[record], count = this.first[record + 1] - begin;
    for (let i = 0; i < count; i++) {
      from.fromArray(this.point, 3 * (begin + i));
      this.dots.setMatrixAt(i, matrix.makeTranslation(from.x, from.y, from.z));
      to.fromArray(this.force, 3 * (begin + i));
      const size = to.length() || 0;
      const length = this.length * Math.sqrt(size / this.strongest);
      if (size > 0) turn.setFromUnitVectors(up, to.divideScalar(size));
      this.shafts.setMatrixAt(i, matrix.compose(from, turn, scale.set(1, 1, Math.max(length, 1e-9))));
      const whole = size > 0 ? 1 : 1e-9;
      this.heads.setMatrixAt(i, matrix.compose(from.addScaledVector(to, length), turn,
        scale.setScalar(whole)));
    }
    for (const mesh of [this.dots, this.shafts, this.heads]) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

// ---- Paths of centres of mass and of rods' last nodes, up to the time that is shown ----

const PATHS_SHOWN = 60;

export class Paths {
  constructor(data, bodies, rods) {
    this.group = new THREE.Group();
    this.group.visible = false;
    const records = data.shape("time")[0];
    const add = (values, width, offset, color) => {
      const points = new Float32Array(3 * records);
      for (let k = 0; k < records; k++)
        for (let c = 0; c < 3; c++) points[3 * k + c] = values[k * width + offset + c];
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({color}));
      line.frustumCulled = false;
      this.group.add(line);
    };
    data.bodies.forEach((body, i) => {
      if (!body.fixed && this.group.children.length < PATHS_SHOWN)
        add(bodies.position, 3 * bodies.n, 3 * i, BODIES[i % BODIES.length]);
    });
    rods.forEach((rod, i) => {
      if (this.group.children.length < PATHS_SHOWN)
        add(rod.position, 3 * rod.nodes, 3 * (rod.nodes - 1), BODIES[i % BODIES.length]);
    });
  }

  update(record) {
    if (!this.group.visible) return;
    for (const line of this.group.children) line.geometry.setDrawRange(0, record + 1);
  }
}
