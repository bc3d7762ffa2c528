// The camera: presets, fitting, following. z is up.
import * as THREE from "three";
import {OrbitControls} from "three/addons/controls/OrbitControls.js";

export const PRESETS = {
  Iso: [1, -1.6, 0.9], Front: [0, -1, 0], Side: [1, 0, 0],
  Top: [0, -1e-3, 1], // not quite from above: there, left and right have no meaning
};
const SECONDS = 0.45; // of a change of view

export class Camera {
  constructor(canvas, box) {
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.1, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("start", () => { this.motion = null; });
    this.sphere = box.getBoundingSphere(new THREE.Sphere());
    this.box = box;
  }

  // Distance at which the box, seen along a direction, fills the view.
  distance(box, direction) {
    const z = direction.clone().normalize(), tangent = Math.tan(this.camera.fov * Math.PI / 360);
    const x = new THREE.Vector3(0, 0, 1).cross(z).normalize(), y = z.clone().cross(x);
    const middle = box.getCenter(new THREE.Vector3()), half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    let far = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).multiply(half);
      const across = Math.abs(corner.dot(x)) / Math.min(this.camera.aspect, 3), along = Math.abs(corner.dot(y));
      far = Math.max(far, corner.dot(z) + Math.max(across, along) / tangent);
    }
    return {middle, distance: Math.max(1.12 * far, 1e-9)};
  }

  look(name, box = this.box, at_once = false) {
    const direction = new THREE.Vector3(...PRESETS[name] ?? [0, 0, 0]);
    if (!(name in PRESETS)) direction.subVectors(this.camera.position, this.controls.target);
    const {middle, distance} = this.distance(box, direction);
    const end = {target: middle, offset: direction.setLength(distance)};
    const start = {target: this.controls.target.clone(),
      offset: this.camera.position.clone().sub(this.controls.target)};
    this.motion = {start, end, since: performance.now(), length: at_once ? 0 : 1000 * SECONDS};
  }

  follow(point) {
    if (this.followed) {
      const moved = point.clone().sub(this.followed);
      this.controls.target.add(moved);
      this.camera.position.add(moved);
      this.followed.copy(point);
    }
  }

  // Whether the view has moved.
  update(now) {
    let moved = false;
    if (this.motion) {
      const {start, end, since, length} = this.motion;
      const x = length ? Math.min(1, (now - since) / length) : 1, f = Math.max(0, x) ** 2 * (3 - 2 * Math.max(0, x));
      this.controls.target.lerpVectors(start.target, end.target, f);
      // Around the target, not through it.
      const size = start.offset.length() * (1 - f) + end.offset.length() * f;
      const offset = start.offset.clone().normalize().lerp(end.offset.clone().normalize(), f);
      if (offset.lengthSq() < 1e-6) offset.set(1, -1, 1);
      this.camera.position.copy(this.controls.target).add(offset.setLength(size));
      if (x >= 1) this.motion = null;
      moved = true;
    }
    moved = this.controls.update() || moved;
    const far = this.camera.position.distanceTo(this.sphere.center) + 14 * this.sphere.radius;
    const near = Math.max(far / 4000, this.camera.position.distanceTo(this.controls.target) / 300);
    if (far !== this.camera.far || near !== this.camera.near) {
      this.camera.near = near, this.camera.far = far;
      this.camera.updateProjectionMatrix();
    }
    return moved;
  }
}
