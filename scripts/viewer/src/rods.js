// Rods as tubes along the elements' own curve: p = sum phi_j p_j, R = R_ref Exp(sum phi_j Log(...)), as
// in scripts/xsim/element.py. Rings of the section's outline stand in the planes of d1 and d2; a stripe
// along d1 shows how the rod is twisted. Nothing is allocated while it plays.
import * as THREE from "three";

import {BODIES, diverging, sequential} from "./colour.js";
import {lerp, lerpRotations} from "./data.js";

const PIECES = {2: 3, 3: 8, 4: 10}; // of an element, by its nodes
const MOST_RINGS = 2000;            // of one rod

function lagrange(n, xi) {
  return Array.from({length: n}, (_, j) => {
    let value = 1;
    for (let k = 0; k < n; k++)
      if (k !== j) value *= (xi * (n - 1) - k) / (j - k);
    return value;
  });
}

// Points (x, y) and normals of an outline with half widths a along d1, b along d2.
function outline({round, half: [a, b]}, sides) {
  if (!round) {
    const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]], normals = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    // A corner belongs to two faces, with a normal for each.
    return corners.flatMap(([x, y], k) =>
      [0, 1].map(next => [a * x, b * y, ...normals[(k + next) % 4]]));
  }
  return Array.from({length: sides}, (_, k) => {
    const c = Math.cos(2 * Math.PI * k / sides), s = Math.sin(2 * Math.PI * k / sides);
    const length = Math.hypot(c / a, s / b);
    return [a * c, b * s, c / a / length, s / b / length];
  });
}

export class Rod {
  constructor(data, entry, index) {
    Object.assign(this, {name: entry.name, n: entry.nodes, elements: entry.elements});
    const key = `rod${index}`;
    this.position = data.array(`${key}.position`);
    this.orientation = data.array(`${key}.orientation`);
    this.nodes = data.shape(`${key}.position`)[1];
    this.points = data.shape(`${key}.curvature`)[1];
    this.measures = Object.fromEntries(data.measures.map(m => [m.name, data.array(`${key}.${m.name}`)]));

    this.pieces = Math.max(1, Math.min(PIECES[this.n], Math.floor(MOST_RINGS / this.elements)));
    this.rings = this.elements * this.pieces + 1;
    this.weights = new Float32Array((this.pieces + 1) * this.n);
    for (let k = 0; k <= this.pieces; k++) this.weights.set(lagrange(this.n, k / this.pieces), k * this.n);
    this.outline = outline(entry.section, this.rings > 600 ? 10 : 18);
    this.stripe = entry.section.round ? 0 : -1; // its point on d1
    this.p = new Float32Array(3 * this.nodes);
    this.q = new Float32Array(4 * this.nodes);
    this.turns = new Float32Array(3 * this.n);
    this.placeMeasures(entry);
    this.value = new Float32Array(this.points);
    this.plain = new THREE.Color(BODIES[index % BODIES.length]);
    this.makeMesh();
  }

  // Which Gauss points a ring lies between.
  placeMeasures({arc, gauss}) {
    this.before = new Int32Array(this.rings);
    this.beyond = new Float32Array(this.rings);
    for (let k = 0; k < this.rings; k++) {
      const s = arc[0] + (arc[arc.length - 1] - arc[0]) * k / (this.rings - 1);
      let g = 0;
      while (g < gauss.length - 2 && gauss[g + 1] < s) g++;
      this.before[k] = g;
      this.beyond[k] = gauss.length < 2 ? 0 :
        Math.min(1, Math.max(0, (s - gauss[g]) / (gauss[g + 1] - gauss[g])));
    }
  }

  makeMesh() {
    const m = this.outline.length, rows = this.rings, index = [];
    const flat = this.stripe < 0; // every second pair of points is a corner, not a face
    for (let k = 0; k < rows - 1; k++)
      for (let i = flat ? 1 : 0; i < m; i += flat ? 2 : 1) {
        const a = k * m + i, b = k * m + (i + 1) % m;
        index.push(a, b, b + m, a, b + m, a + m);
      }
    // Caps: a ring of their own and a centre at each end.
    for (const [end, base] of [[0, rows * m], [1, rows * m + m + 1]])
      for (let i = 0; i < m; i++) {
        const a = base + i, b = base + (i + 1) % m, centre = base + m;
        index.push(...(end ? [a, b, centre] : [b, a, centre]));
      }
    const count = rows * m + 2 * (m + 1), geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal", "color"])
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * count), 3)
        .setUsage(THREE.DynamicDrawUsage));
    geometry.setIndex(index);
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    this.mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial(
      {vertexColors: true, roughness: 0.5, metalness: 0.05}));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.userData.rod = this;
  }

  // Poses between two records; `paint`: {measure, low, high, table} or null; `stripe`: drawn or not.
  update(at, paint, stripe) {
    lerp(this.p, this.position, 3 * this.nodes, at);
    lerpRotations(this.q, this.orientation, 4 * this.nodes, at);
    if (paint) lerp(this.value, this.measures[paint.measure], this.points, at);
    const {position, normal, color} = this.mesh.geometry.attributes;
    for (let e = 0; e < this.elements; e++) {
      this.turnNodes(e);
      const last = e === this.elements - 1 ? this.pieces : this.pieces - 1;
      for (let k = 0; k <= last; k++) {
        this.frame(e, k);
        const ring = e * this.pieces + k;
        this.shade(ring, paint);
        this.writeRing(ring * this.outline.length, position.array, normal.array);
        this.paintRing(ring * this.outline.length, color.array, stripe);
        if (ring === 0) this.writeCap(0, position.array, normal.array, color.array);
        if (ring === this.rings - 1) this.writeCap(1, position.array, normal.array, color.array);
      }
    }
    position.needsUpdate = normal.needsUpdate = color.needsUpdate = true;
  }

  // R_ref of an element (into ref) and Log(R_ref^T R_j) of its nodes (into turns).
  turnNodes(e) {
    const q = this.q, first = 4 * e * (this.n - 1);
    const a = first + 4 * ((this.n - 1) >> 1), b = first + 4 * (this.n >> 1);
    for (let c = 0; c < 4; c++) ref[c] = q[a + c];
    if (a !== b) {
      relative(ref, q, b, step);
      for (let c = 0; c < 3; c++) step[c] *= 0.5;
      turned(ref, step, 0, quat);
      ref.set(quat);
    }
    for (let j = 0; j < this.n; j++) {
      relative(ref, q, first + 4 * j, step);
      for (let c = 0; c < 3; c++) this.turns[3 * j + c] = step[c];
    }
  }

  // Place (into place) and axes d1, d2, d3 (into axes) at the k-th ring of element e.
  frame(e, k) {
    const first = 3 * e * (this.n - 1);
    step.fill(0);
    place.fill(0);
    for (let j = 0; j < this.n; j++) {
      const w = this.weights[k * this.n + j];
      for (let c = 0; c < 3; c++) {
        place[c] += w * this.p[first + 3 * j + c];
        step[c] += w * this.turns[3 * j + c];
      }
    }
    turned(ref, step, 0, quat);
    const [w, x, y, z] = quat;
    axes[0] = 1 - 2 * (y * y + z * z), axes[1] = 2 * (x * y + w * z), axes[2] = 2 * (x * z - w * y);
    axes[3] = 2 * (x * y - w * z), axes[4] = 1 - 2 * (x * x + z * z), axes[5] = 2 * (y * z + w * x);
    axes[6] = 2 * (x * z + w * y), axes[7] = 2 * (y * z - w * x), axes[8] = 1 - 2 * (x * x + y * y);
  }

  shade(ring, paint) {
    if (!paint) {
      shade[0] = this.plain.r, shade[1] = this.plain.g, shade[2] = this.plain.b;
      return;
    }
    const g = this.before[ring], f = this.beyond[ring];
    const value = this.points < 2 ? this.value[0] : (1 - f) * this.value[g] + f * this.value[g + 1];
    const at = (value - paint.low) / (paint.high - paint.low) * 255;
    const i = 3 * Math.max(0, Math.min(255, Math.round(at) || 0));
    shade[0] = paint.table[i], shade[1] = paint.table[i + 1], shade[2] = paint.table[i + 2];
  }

  writeRing(first, position, normal) {
    let i = 3 * first;
    for (const [x, y, nx, ny] of this.outline)
      for (let c = 0; c < 3; c++, i++) {
        position[i] = place[c] + x * axes[c] + y * axes[3 + c];
        normal[i] = nx * axes[c] + ny * axes[3 + c];
      }
  }

  paintRing(first, color, stripe) {
    for (let k = 0, i = 3 * first; k < this.outline.length; k++, i += 3) {
      const dark = stripe && k === this.stripe ? 0.25 : 1;
      color[i] = dark * shade[0], color[i + 1] = dark * shade[1], color[i + 2] = dark * shade[2];
    }
  }

  writeCap(end, position, normal, color) {
    const m = this.outline.length, base = 3 * (this.rings * m + end * (m + 1)), sign = end ? 1 : -1;
    for (let k = 0; k <= m; k++)
      for (let c = 0, i = base + 3 * k; c < 3; c++, i++) {
        const [x, y] = k < m ? this.outline[k] : [0, 0];
        position[i] = place[c] + x * axes[c] + y * axes[3 + c];
        normal[i] = sign * axes[6 + c];
        color[i] = shade[c];
      }
  }
}

// Lowest and highest value that colours show, of all rods: a few outliers do not stretch the scale.
export function range(rods, measure, signed) {
  const seen = [];
  for (const rod of rods) {
    const values = rod.measures[measure], stride = Math.max(1, Math.floor(values.length / 20000));
    for (let i = 0; i < values.length; i += stride) if (isFinite(values[i])) seen.push(values[i]);
  }
  seen.sort((a, b) => a - b);
  const at = f => seen.length ? seen[Math.min(seen.length - 1, Math.floor(f * seen.length))] : 0;
  let low = at(0.002), high = at(0.998);
  if (signed) high = Math.max(Math.abs(low), Math.abs(high)), low = -high;
  else if (low < 0.5 * high) low = 0;
  if (!(high - low > 1e-12)) high = low + 1e-12;
  return {measure, low, high, ...(signed ? diverging : sequential)};
}

// ---- Rotations as quaternions (w, x, y, z); scratch that frames share ----

const ref = new Float64Array(4), quat = new Float64Array(4), step = new Float64Array(3);
const place = new Float64Array(3), axes = new Float64Array(9), shade = new Float32Array(3);

// Log(a^T b), b at q[i].
function relative(a, q, i, out) {
  let w = a[0] * q[i] + a[1] * q[i + 1] + a[2] * q[i + 2] + a[3] * q[i + 3];
  let x = a[0] * q[i + 1] - a[1] * q[i] - a[2] * q[i + 3] + a[3] * q[i + 2];
  let y = a[0] * q[i + 2] + a[1] * q[i + 3] - a[2] * q[i] - a[3] * q[i + 1];
  let z = a[0] * q[i + 3] - a[1] * q[i + 2] + a[2] * q[i + 1] - a[3] * q[i];
  if (w < 0) w = -w, x = -x, y = -y, z = -z;
  const s = Math.hypot(x, y, z), scale = s > 1e-12 ? 2 * Math.atan2(s, w) / s : 2;
  out[0] = scale * x, out[1] = scale * y, out[2] = scale * z;
}

// a Exp(v), v at v[i].
function turned(a, v, i, out) {
  const angle = Math.hypot(v[i], v[i + 1], v[i + 2]);
  const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5, w = Math.cos(angle / 2);
  const x = s * v[i], y = s * v[i + 1], z = s * v[i + 2];
  out[0] = a[0] * w - a[1] * x - a[2] * y - a[3] * z;
  out[1] = a[0] * x + a[1] * w + a[2] * z - a[3] * y;
  out[2] = a[0] * y - a[1] * z + a[2] * w + a[3] * x;
  out[3] = a[0] * z + a[1] * y - a[2] * x + a[3] * w;
}
