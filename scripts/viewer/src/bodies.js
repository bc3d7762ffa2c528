// Bodies as their solids. Equal solids of all bodies are one instanced mesh, so that a heap of spheres
// costs as much to draw as one. Planes are floors (floor.js). Large solids that never move (walls, a table)
// are scenery: where one stands between the camera and what moves, it is drawn as glass.
import * as THREE from "three";

import {BODIES, FIXED} from "./colour.js";
import {lerp, lerpRotations} from "./data.js";

const MAKE = {
  sphere: s => new THREE.SphereGeometry(s.radius, 40, 24).rotateX(Math.PI / 2),
  capsule: s => new THREE.CapsuleGeometry(s.radius, 2 * s.half_length, 12, 32).rotateX(Math.PI / 2),
  cylinder: s => new THREE.CylinderGeometry(s.radius, s.radius, 2 * s.half_length, 48)
    .rotateX(Math.PI / 2),
  box: s => new THREE.BoxGeometry(...s.half_extents.map(h => 2 * h)),
  torus: s => new THREE.TorusGeometry(s.major_radius, s.minor_radius, 24, 72),
};

// A soft check, without which a round body that turns would look at rest.
function check(columns, rows) {
  const pixels = new Uint8Array(columns * rows * 4);
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++)
      pixels.set([...Array(3).fill((i + j) % 2 ? 255 : 212), 255], 4 * (j * columns + i));
  const texture = new THREE.DataTexture(pixels, columns, rows);
  texture.needsUpdate = true;
  return texture;
}

const WATCHED = 30, WATCHED_RECORDS = 8;
const LARGE = 0.2; // of the diagonal of what is looked at

function reach(solid) {
  return solid.half_extents ? Math.hypot(...solid.half_extents) :
    (solid.radius ?? solid.major_radius) + (solid.half_length ?? solid.minor_radius ?? 0);
}

export class Bodies {
  // box: what moves, in all of the run.
  constructor(data, box) {
    this.group = new THREE.Group();
    this.planes = [];
    this.scenery = [];
    const large = LARGE * box.getSize(new THREE.Vector3()).length();
    this.n = data.bodies.length;
    this.meshes = [];
    if (this.n === 0) return;
    this.position = data.array("body.position");
    this.orientation = data.array("body.orientation");
    this.p = new Float32Array(3 * this.n);
    this.q = new Float32Array(4 * this.n);
    this.names = data.bodies.map(body => body.name);

    const kinds = new Map();
    data.bodies.forEach((body, index) => {
      for (const solid of body.solids) {
        const local = new THREE.Matrix4().compose(
          new THREE.Vector3(...solid.position), quaternion(solid.orientation),
          new THREE.Vector3(1, 1, 1));
        if (solid.type === "plane") {
          this.planes.push({index, local});
          continue;
        }
        if (body.fixed && reach(solid) > large) {
          this.addScenery(index, local, solid);
          continue;
        }
        const {position, orientation, ...sizes} = solid, key = JSON.stringify(sizes);
        if (!kinds.has(key)) kinds.set(key, {solid, parts: []});
        kinds.get(key).parts.push({index, local});
      }
    });
    const color = new THREE.Color();
    this.meshes = [...kinds.values()].map(({solid, parts}) => {
      const material = new THREE.MeshStandardMaterial({roughness: 0.55, metalness: 0.05});
      if (solid.type !== "box") material.map = check(8, solid.type === "sphere" ? 4 : 2);
      if (solid.stand_in) Object.assign(material, {transparent: true, opacity: 0.6});
      const mesh = new THREE.InstancedMesh(MAKE[solid.type](solid), material, parts.length);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      mesh.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
      parts.forEach(({index}, i) => mesh.setColorAt(i, color.set(
        data.bodies[index].fixed ? FIXED : BODIES[index % BODIES.length])));
      mesh.userData.parts = parts;
      this.group.add(mesh);
      return mesh;
    });
  }

  addScenery(index, local, solid) {
    const mesh = new THREE.Mesh(MAKE[solid.type](solid), new THREE.MeshStandardMaterial(
      {color: "#b9c0ca", roughness: 0.9, transparent: true}));
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.geometry.computeBoundingBox();
    this.pose(index, mesh.matrix, this.position, this.orientation).multiply(local);
    mesh.userData.name = this.names[index];
    this.scenery.push(mesh);
    this.group.add(mesh);
  }

  // Places of what moves, at some records: scenery should not hide many of them.
  watch(data, rods, records) {
    this.watched = [];
    for (let i = 0; i < WATCHED_RECORDS; i++) {
      const record = Math.round(i / (WATCHED_RECORDS - 1) * (records - 1));
      data.bodies.slice(0, WATCHED).forEach((body, k) => {
        if (!body.fixed)
          this.watched.push(new THREE.Vector3().fromArray(this.position, 3 * (record * this.n + k)));
      });
      for (const rod of rods.slice(0, WATCHED))
        this.watched.push(new THREE.Vector3().fromArray(rod.position,
          3 * (record * rod.nodes + (rod.nodes >> 1))));
    }
  }

  // Scenery that hides a quarter of them becomes glass.
  clearView(camera) {
    for (const mesh of this.scenery) {
      inverse.copy(mesh.matrix).invert();
      ray.origin.copy(camera.position).applyMatrix4(inverse);
      let hidden = 0;
      for (const point of this.watched) {
        place.copy(point).applyMatrix4(inverse);
        const far = ray.origin.distanceTo(place);
        ray.direction.subVectors(place, ray.origin).normalize();
        const hit = ray.intersectBox(mesh.geometry.boundingBox, hitPlace);
        if (hit !== null && hit.distanceTo(ray.origin) < 0.98 * far) hidden++;
      }
      const hides = hidden > 0.25 * this.watched.length;
      mesh.material.opacity = hides ? 0.13 : 1;
      mesh.material.depthWrite = !hides;
      mesh.renderOrder = hides ? 3 : 0;
    }
  }

  // Poses between two records, then matrices of all solids.
  update(at) {
    if (this.n === 0) return;
    lerp(this.p, this.position, 3 * this.n, at);
    lerpRotations(this.q, this.orientation, 4 * this.n, at);
    for (const mesh of this.meshes) {
      mesh.userData.parts.forEach(({index, local}, i) => {
        this.pose(index, matrix).multiply(local);
        mesh.setMatrixAt(i, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  // World pose of a body's centre of mass; p, q: now, or of the first record.
  pose(index, out, p = this.p, q = this.q) {
    const i = 3 * index, j = 4 * index;
    turn.set(q[j + 1], q[j + 2], q[j + 3], q[j]).normalize();
    return out.compose(place.set(p[i], p[i + 1], p[i + 2]), turn, one);
  }

  nameAt(hit) {
    const {name, parts} = hit.object.userData;
    return name ?? this.names[parts[hit.instanceId].index];
  }
}

const matrix = new THREE.Matrix4(), turn = new THREE.Quaternion(), place = new THREE.Vector3();
const one = new THREE.Vector3(1, 1, 1), inverse = new THREE.Matrix4(), ray = new THREE.Ray();
const hitPlace = new THREE.Vector3();

export function quaternion([w, x, y, z]) {
  return new THREE.Quaternion(x, y, z, w);
}
