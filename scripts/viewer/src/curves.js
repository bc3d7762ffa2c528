// Curves over time beside the scene: drawn once, then only a cursor and the numbers of the keys move.
import {CURVES} from "./colour.js";

const LEFT = 46, RIGHT = 4, TOP = 6, BOTTOM = 18;

export function number(x, digits = 3) {
  if (!isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(digits - 1).replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}

function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw)), over = raw / power;
  const step = (over < 1.5 ? 1 : over < 3.5 ? 2 : over < 7.5 ? 5 : 10) * power, found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

class Curve {
  constructor(data, entry, span, seek) {
    Object.assign(this, {entry, span});
    this.series = entry.series.map((s, i) => ({
      ...s, t: data.array(s.name + ".t"), v: data.array(s.name + ".v"), color: CURVES[i % CURVES.length]}));
    this.element = document.createElement("div");
    this.element.className = "curve";
    const title = document.createElement("h2");
    title.textContent = entry.title + (entry.unit ? ` (${entry.unit})` : "");
    this.plot = document.createElement("div");
    this.plot.className = "plot";
    this.canvas = document.createElement("canvas");
    this.cursor = document.createElement("div");
    this.cursor.className = "cursor";
    this.plot.append(this.canvas, this.cursor);
    const keys = document.createElement("div");
    keys.className = "keys";
    for (const s of this.series) {
      const row = document.createElement("div"), label = document.createElement("span");
      const mark = document.createElement("i");
      mark.style.background = s.color;
      label.append(mark, s.label);
      s.key = document.createElement("b");
      row.title = s.unit ? `${s.title} in ${s.unit}` : s.title;
      row.append(label, s.key);
      keys.append(row);
    }
    this.element.append(title, this.plot, keys);
    const drag = event => {
      if (event.type === "pointermove" && !event.buttons) return;
      if (event.type === "pointerdown") this.canvas.setPointerCapture(event.pointerId);
      const box = this.canvas.getBoundingClientRect();
      const x = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      seek(span[0] + Math.min(1, Math.max(0, x)) * (span[1] - span[0]));
    };
    this.canvas.addEventListener("pointerdown", drag);
    this.canvas.addEventListener("pointermove", drag);
    this.findRange();
  }

  findRange() {
    let low = Infinity, high = -Infinity;
    for (const {v} of this.series)
      for (const x of v) {
        if (!isFinite(x) || (this.entry.log && x <= 0)) continue;
        const y = this.entry.log ? Math.log10(x) : x;
        low = Math.min(low, y), high = Math.max(high, y);
      }
    if (!(high >= low)) low = 0, high = 1;
    if (this.entry.log) {
      // Of residuals that once were round-off the lowest decades tell nothing.
      low = Math.max(Math.floor(low), Math.ceil(high) - 14), high = Math.ceil(high);
      if (low === high) high++;
    } else {
      const margin = 0.06 * (high - low) || Math.abs(high) || 1;
      if (low >= 0 && low < 0.5 * high) low = 0; else low -= margin;
      high += margin;
    }
    this.low = low, this.high = high;
  }

  draw() {
    const width = this.plot.clientWidth, height = this.canvas.clientHeight;
    if (!width || !height) return;
    const ratio = Math.min(3, window.devicePixelRatio || 1), style = getComputedStyle(document.body);
    this.canvas.width = Math.round(width * ratio), this.canvas.height = Math.round(height * ratio);
    this.width = width;
    this.cursor.style.height = `${height - BOTTOM}px`;
    const c = this.canvas.getContext("2d");
    c.scale(ratio, ratio);
    c.font = "10.5px system-ui, sans-serif";
    const ink = style.getPropertyValue("--soft"), line = style.getPropertyValue("--line");
    const x = t => LEFT + (t - this.span[0]) / (this.span[1] - this.span[0] || 1) * (width - LEFT - RIGHT);
    const y = v => TOP + (this.high - v) / (this.high - this.low) * (height - TOP - BOTTOM);
    c.strokeStyle = line, c.fillStyle = ink, c.lineWidth = 1;
    c.textAlign = "right", c.textBaseline = "middle";
    const marks = ticks(this.low, this.high, 4).filter(v => !this.entry.log || Number.isInteger(v));
    for (const v of marks) {
      c.beginPath(), c.moveTo(LEFT, y(v)), c.lineTo(width - RIGHT, y(v)), c.stroke();
      c.fillText(this.entry.log ? `1e${v}` : number(v, 4), LEFT - 5, y(v));
    }
    c.textAlign = "center", c.textBaseline = "top";
    const times = ticks(this.span[0], this.span[1], 4);
    times.forEach((t, i) => {
      c.textAlign = x(t) > width - 16 ? "right" : "center";
      c.fillText(number(t, 4) + (i === times.length - 1 ? " s" : ""), x(t), height - BOTTOM + 5);
    });
    c.save();
    c.beginPath(), c.rect(LEFT, 0, width - LEFT - RIGHT, height - BOTTOM + 1), c.clip();
    c.lineWidth = 1.4, c.lineJoin = "round";
    // The first of the keys is drawn last, on top.
    for (const {t, v, color} of [...this.series].reverse()) {
      c.strokeStyle = color;
      c.beginPath();
      let pen = false;
      for (let k = 0; k < t.length; k++) {
        const value = this.entry.log ? (v[k] > 0 ? Math.log10(v[k]) : NaN) : v[k];
        if (!isFinite(value)) { pen = false; continue; }
        pen ? c.lineTo(x(t[k]), y(value)) : c.moveTo(x(t[k]), y(value));
        pen = true;
      }
      c.stroke();
    }
    c.restore();
  }

  show(t) {
    if (!this.width) return;
    const part = (t - this.span[0]) / (this.span[1] - this.span[0] || 1);
    this.cursor.style.transform = `translateX(${LEFT + part * (this.width - LEFT - RIGHT)}px)`;
    for (const s of this.series) {
      let a = 0, b = s.t.length - 1;
      while (b - a > 1) {
        const middle = (a + b) >> 1;
        if (s.t[middle] <= t) a = middle; else b = middle;
      }
      const words = number(s.v[t - s.t[a] < s.t[b] - t ? a : b]);
      if (words !== s.words) s.key.textContent = s.words = words;
    }
  }
}

export class Curves {
  constructor(data, parent, span, seek) {
    this.curves = data.curves.map(entry => new Curve(data, entry, span, seek));
    parent.append(...this.curves.map(curve => curve.element));
    new ResizeObserver(() => this.draw()).observe(parent);
  }

  draw() { for (const curve of this.curves) curve.draw(); }

  show(t) { for (const curve of this.curves) curve.show(t); }
}
