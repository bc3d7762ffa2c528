// The page: puts the scene together and draws it when time, view or choices change.
import * as THREE from "three";

import {Bodies} from "./bodies.js";
import {Camera, PRESETS} from "./camera.js";
import {Curves, number} from "./curves.js";
import {bracket, load} from "./data.js";
import {Floor} from "./floor.js";
import {Contacts, Joints, Paths} from "./marks.js";
import {Player} from "./player.js";
import {range, Rod} from "./rods.js";

const id = name => document.getElementById(name);
const SUN = '<svg viewBox="0 0 16 16"><circle cx="8" cy="8" r="3.2"/><g stroke="currentColor" ' +
  'stroke-width="1.4" stroke-linecap="round"><path d="M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 ' +
  '1.2M11.8 11.8L13 13M3 13l1.2-1.2M11.8 4.2L13 3"/></g></svg>';
const MOON = '<svg viewBox="0 0 16 16"><path d="M13.6 10.2A6 6 0 0 1 5.8 2.4a6 6 0 1 0 7.8 7.8z"/></svg>';

function say(words) {
  id("message").textContent = words;
  id("message").hidden = false;
}

class Page {
  constructor(data) {
    this.data = data;
    this.canvas = id("view");
    this.renderer = new THREE.WebGLRenderer({canvas: this.canvas, antialias: true, alpha: true});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.box = new THREE.Box3(new THREE.Vector3(...data.extent[0]), new THREE.Vector3(...data.extent[1]));
    this.diagonal = this.box.getSize(new THREE.Vector3()).length() || 1;
    this.box.expandByScalar(0.005 * this.diagonal);

    this.time = data.array("time");
    this.bodies = new Bodies(data, this.box);
    this.rods = data.rods.map((entry, i) => new Rod(data, entry, i));
    this.bodies.watch(data, this.rods, this.time.length);
    this.joints = new Joints(data, this.bodies, this.rods, this.jointSize());
    this.contacts = new Contacts(data, this.diagonal);
    this.paths = new Paths(data, this.bodies, this.rods);
    this.scene.add(this.bodies.group, ...this.rods.map(rod => rod.mesh), this.joints.group,
      this.contacts.group, this.paths.group);
    this.stripe = this.rods.length > 0;
    this.addLights();
    this.addFloors();
    this.camera = new Camera(this.canvas, this.box);
    this.player = new Player(this.time);
    this.curves = new Curves(data, id("curves"), this.player.span, t => this.player.seek(t));
    this.describe();
    this.addSwitches();
    this.addCameras();
    this.addKeys();
    this.addTip();
    this.setTheme(stored("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    id("theme").addEventListener("click", () => this.toggleTheme());
    new ResizeObserver(() => this.resize()).observe(id("stage"));
    this.resize();
    this.camera.look("Iso", this.box, true);
    this.scripts = []; // script time of the latest frames, ms
    this.frame = this.frame.bind(this);
    requestAnimationFrame(this.frame);
  }

  // Small beside bodies, and no smaller than to be seen on a rod.
  jointSize() {
    const thick = this.data.rods.map(rod => Math.max(...rod.section.half));
    return Math.max(0.006 * this.diagonal, ...thick.map(r => Math.min(0.62 * r, 0.02 * this.diagonal)));
  }

  addLights() {
    const centre = this.box.getCenter(new THREE.Vector3()), d = this.diagonal;
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8a8f99, 1.7);
    this.sky.position.set(0, 0, 1);
    const sun = this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    sun.position.copy(centre).add(new THREE.Vector3(0.5 * d, -0.7 * d, 1.3 * d));
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, {left: -0.75 * d, right: 0.75 * d, top: 0.75 * d, bottom: -0.75 * d,
      near: 0.05 * d, far: 4 * d});
    sun.shadow.normalBias = 0.0015 * d;
    sun.shadow.radius = 3;
    const fill = new THREE.DirectionalLight(0xdfe8ff, 0.6);
    fill.position.copy(centre).add(new THREE.Vector3(-d, 0.6 * d, 0.4 * d));
    fill.target.position.copy(centre);
    this.scene.add(this.sky, sun, sun.target, fill, fill.target);
  }

  addFloors() {
    this.floors = this.bodies.planes.map(plane => ({floor: new Floor(this.diagonal, true), plane}));
    if (this.floors.length === 0) {
      const floor = new Floor(this.diagonal, false), centre = this.box.getCenter(new THREE.Vector3());
      floor.place(new THREE.Matrix4().makeTranslation(0, 0, this.box.min.z), centre);
      this.floors.push({floor});
    }
    this.floorGroup = new THREE.Group();
    this.floorGroup.add(...this.floors.map(({floor}) => floor.group));
    this.scene.add(this.floorGroup);
    id("scale").textContent = `grid ${length(this.floors[0].floor.spacing)}`;
  }

  describe() {
    const {data} = this;
    id("name").textContent = data.name;
    id("description").textContent = data.description;
    const shown = this.time.length < data.records ? [["Shown", `${this.time.length} records`]] : [];
    const count = [["bodies", data.bodies.length], ["rods", data.rods.length],
      ["joints", data.joints.length]].filter(([, n]) => n).map(([what, n]) => `${n} ${n === 1 ?
      {bodies: "body", rods: "rod", joints: "joint"}[what] : what}`).join(", ");
    for (const [label, words] of [["File", data.file], ["Scene", count], ...data.facts, ...shown]) {
      const dt = document.createElement("dt"), dd = document.createElement("dd");
      dt.textContent = label, dd.textContent = words;
      id("facts").append(dt, dd);
    }
  }

  // ---- Choices ----

  addSwitches() {
    const add = (label, on, change) => {
      const element = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox", box.checked = on;
      box.addEventListener("change", () => { change(box.checked); this.dirty = true; });
      element.append(box, label);
      id("switches").append(element);
      change(on);
      return box;
    };
    if (this.rods.length) this.addMeasures();
    const toggle = group => on => { group.visible = on; };
    if (this.bodies.n) add("Bodies", true, toggle(this.bodies.group));
    if (this.rods.length) {
      add("Rods", true, on => this.rods.forEach(rod => { rod.mesh.visible = on; }));
      add("Stripe on rods", this.data.rods.some(rod => rod.section.round),
        on => { this.stripe = on; });
    }
    if (this.data.contacts) add("Contacts", true, toggle(this.contacts.group));
    if (this.data.joints.length) add("Joints", this.data.joints.length <= 60, toggle(this.joints.group));
    this.pathBox = add("Paths", false, toggle(this.paths.group));
    add("Grid", true, toggle(this.floorGroup));
    add("Follow", false, on => { this.camera.followed = on ? this.centre() : null; });
  }

  addMeasures() {
    const label = document.createElement("label"), select = document.createElement("select");
    label.className = "wide";
    select.id = "measure";
    const names = {curvature: "Curvature", twist: "Twist", stretch: "Strain: stretch", shear: "Strain: shear"};
    for (const {name} of this.data.measures) select.add(new Option(names[name], name));
    select.add(new Option("Plain", ""));
    label.append("Colour of rods", select);
    id("switches").append(label);
    this.ranges = {};
    const choose = () => {
      const name = select.value, measure = this.data.measures.find(m => m.name === name);
      this.paint = measure ? this.ranges[name] ??= range(this.rods, name, measure.signed) : null;
      id("legend").hidden = !measure;
      if (measure) {
        const {low, high, css} = this.paint, unit = measure.unit === "1" ? "" : ` (${measure.unit})`;
        id("legend-title").textContent = names[name] + unit;
        id("legend-bar").style.background = css;
        [low, (low + high) / 2, high].forEach((x, i) => {
          id("legend-ends").children[i].textContent = number(Math.abs(x) < 1e-9 * high ? 0 : x);
        });
      }
      this.dirty = true;
    };
    select.addEventListener("change", choose);
    choose();
  }

  addCameras() {
    const add = (name, title, act) => {
      const button = document.createElement("button");
      button.textContent = name, button.title = title;
      button.addEventListener("click", act);
      id("cameras").append(button);
    };
    Object.keys(PRESETS).forEach((name, k) => add(name, `${name} (${k + 1})`, () => this.camera.look(name)));
    add("Fit", "All that is there now (F)", () => this.fit());
  }

  addKeys() {
    const keys = {
      " ": () => this.player.toggle(), ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1), Home: () => this.player.seek(this.player.span[0]),
      End: () => this.player.seek(this.player.span[1]), "+": () => this.player.faster(1),
      "-": () => this.player.faster(-1), r: () => this.player.toggleLoop(), f: () => this.fit(),
      t: () => this.toggleTheme(), p: () => this.pathBox.click(),
    };
    Object.keys(PRESETS).forEach((name, k) => { keys[k + 1] = () => this.camera.look(name); });
    document.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
      const act = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!act || (event.key === " " && event.target.matches("button, [type=checkbox]"))) return;
      event.preventDefault();
      act();
    });
  }

  // The name of what the pointer is on.
  addTip() {
    const ray = new THREE.Raycaster(), pointer = new THREE.Vector2(), tip = id("tip");
    this.canvas.addEventListener("pointermove", event => {
      if (event.buttons || this.player.playing) { tip.hidden = true; return; }
      const box = this.canvas.getBoundingClientRect();
      pointer.set((event.clientX - box.left) / box.width * 2 - 1, 1 - (event.clientY - box.top) / box.height * 2);
      ray.setFromCamera(pointer, this.camera.camera);
      const [hit] = ray.intersectObjects([...(this.bodies.group.visible ? [this.bodies.group] : []),
        ...this.rods.filter(rod => rod.mesh.visible).map(rod => rod.mesh)]);
      tip.hidden = !hit;
      if (!hit) return;
      const at = hit.point.toArray().map(x => number(x)).join(", ");
      tip.textContent = `${hit.object.userData.rod?.name ?? this.bodies.nameAt(hit)}  (${at}) m`;
      tip.style.left = `${Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8)}px`;
      tip.style.top = `${event.clientY - box.top + 14}px`;
    });
    this.canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    const dark = theme === "dark";
    id("theme").innerHTML = dark ? SUN : MOON;
    this.sky.intensity = dark ? 1.25 : 1.8;
    this.sky.groundColor.set(dark ? "#4a5160" : "#a3a8b2");
    this.joints.material.color.set(dark ? "#aab3c2" : "#475467");
    for (const {floor} of this.floors) floor.theme(dark);
    this.curves.draw();
    this.dirty = true;
  }

  toggleTheme() {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    store("theme", theme);
    this.setTheme(theme);
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = id("stage");
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.camera.camera.aspect = width / height;
    this.camera.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // ---- Where things are now ----

  now() {
    const box = new THREE.Box3(), point = new THREE.Vector3();
    this.data.bodies.forEach((body, i) => {
      if (body.solids.every(s => s.type === "plane") && body.solids.length) return;
      const reach = Math.max(0, ...body.solids.filter(s => s.type !== "plane").map(s =>
        Math.hypot(...s.position) + Math.hypot(...(s.half_extents ?? [(s.radius ?? s.major_radius) +
          (s.half_length ?? s.minor_radius ?? 0)]))));
      point.fromArray(this.bodies.p, 3 * i);
      box.expandByPoint(point.clone().addScalar(reach)).expandByPoint(point.clone().addScalar(-reach));
    });
    for (const rod of this.rods)
      for (let k = 0; k < rod.nodes; k++) box.expandByPoint(point.fromArray(rod.p, 3 * k));
    return box;
  }

  fit() { this.camera.look("", this.now()); }

  // The middle of what moves.
  centre() {
    const sum = new THREE.Vector3(), point = new THREE.Vector3();
    let count = 0;
    this.data.bodies.forEach((body, i) => {
      if (!body.fixed) sum.add(point.fromArray(this.bodies.p, 3 * i)), count++;
    });
    for (const rod of this.rods) sum.add(point.fromArray(rod.p, 3 * (rod.nodes >> 1))), count++;
    return count ? sum.divideScalar(count) : sum;
  }

  show() {
    const at = bracket(this.time, this.player.t);
    this.bodies.update(at);
    for (const rod of this.rods) if (rod.mesh.visible) rod.update(at, this.paint, this.stripe);
    this.joints.update();
    this.contacts.update(this.player.record);
    this.paths.update(at.a);
    for (const {floor, plane} of this.floors)
      if (plane) floor.place(this.bodies.pose(plane.index, new THREE.Matrix4()).multiply(plane.local),
        this.camera.sphere.center);
    if (this.camera.followed) this.camera.follow(this.centre());
    this.curves.show(this.player.t);
  }

  frame(now) {
    const start = performance.now();
    const moved = this.player.update(now) || this.dirty;
    if (moved) this.show();
    if (this.camera.update(now) || moved) {
      this.bodies.clearView(this.camera.camera);
      this.renderer.render(this.scene, this.camera.camera);
      this.scripts.push(performance.now() - start);
      if (this.scripts.length > 600) this.scripts.shift();
    }
    this.dirty = false;
    requestAnimationFrame(this.frame);
  }
}

// Pages opened from a disk may be without storage.
function stored(key) {
  try { return localStorage.getItem(`xsim-${key}`); } catch { return null; }
}
function store(key, value) {
  try { localStorage.setItem(`xsim-${key}`, value); } catch { /* for this visit only */ }
}

function length(metres) {
  const [unit, scale] = metres >= 1000 ? ["km", 1e3] : metres >= 1 ? ["m", 1] : metres >= 0.01 ? ["cm", 0.01] :
    metres >= 1e-3 ? ["mm", 1e-3] : ["µm", 1e-6];
  return `${number(metres / scale)} ${unit}`;
}

load().then(data => {
  try {
    window.xsim = new Page(data); // for a look from the console, and for tests
  } catch (error) {
    if (!/WebGL/i.test(String(error))) throw error;
    say("This browser has no WebGL, which the page draws with.");
  }
}).catch(error => {
  say(`The page cannot show its numbers: ${error.message}`);
  console.error(error);
});
