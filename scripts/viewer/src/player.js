// Time: playing, scrubbing, speed. Playing goes between records, all else stands on one.

const SPEEDS = [1e-4, 1e-3, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50];
const GOOD = 8; // s in which a run is shown at first, about

const ICONS = {
  play: '<svg viewBox="0 0 16 16"><path d="M4 2.5v11l9.5-5.5z"/></svg>',
  pause: '<svg viewBox="0 0 16 16"><path d="M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z"/></svg>',
  back: '<svg viewBox="0 0 16 16"><path d="M3 3h1.8v10H3zM13 3v10L5.6 8z"/></svg>',
  forth: '<svg viewBox="0 0 16 16"><path d="M11.2 3H13v10h-1.8zM3 3v10l7.4-5z"/></svg>',
};

export class Player {
  constructor(time) {
    Object.assign(this, {time, t: time[0], playing: false, looping: true, changed: true});
    this.span = [time[0], time[time.length - 1]];
    const length = this.span[1] - this.span[0];
    this.speed = SPEEDS.reduce((best, s) => Math.abs(Math.log(length / s / GOOD)) <
      Math.abs(Math.log(length / best / GOOD)) ? s : best, 1);
    const id = name => document.getElementById(name);
    Object.assign(this, {scrub: id("scrub"), clock: id("clock"), counter: id("record"),
      button: id("play"), loopButton: id("loop")});
    this.scrub.min = this.span[0], this.scrub.max = this.span[1];
    this.scrub.addEventListener("input", () => this.seek(Number(this.scrub.value)));
    this.button.addEventListener("click", () => this.toggle());
    id("back").innerHTML = ICONS.back, id("forth").innerHTML = ICONS.forth;
    id("back").addEventListener("click", () => this.step(-1));
    id("forth").addEventListener("click", () => this.step(1));
    this.loopButton.addEventListener("click", () => this.toggleLoop());
    this.chooser = id("speed");
    for (const s of SPEEDS) this.chooser.add(new Option(s < 1 ? `1/${Math.round(1 / s)}` : `${s}×`, s));
    this.chooser.value = this.speed;
    this.chooser.addEventListener("change", () => { this.speed = Number(this.chooser.value); });
    // Enough decimals to tell records apart.
    const step = length / Math.max(1, time.length - 1);
    this.decimals = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step || 1))));
    this.showButton();
  }

  nearest(t) {
    let a = 0, b = this.time.length - 1;
    while (b - a > 1) {
      const middle = (a + b) >> 1;
      if (this.time[middle] <= t) a = middle; else b = middle;
    }
    return t - this.time[a] <= this.time[b] - t ? a : b;
  }

  seek(t) {
    this.stop();
    this.t = this.time[this.nearest(t)];
    this.changed = true;
  }

  step(by) {
    const last = this.time.length - 1;
    this.seek(this.time[Math.min(last, Math.max(0, this.nearest(this.t) + by))]);
  }

  toggle() {
    if (this.playing) {
      this.seek(this.t);
    } else if (this.span[1] > this.span[0]) {
      if (this.t >= this.span[1]) this.t = this.span[0];
      this.playing = true;
      this.last = null;
      this.showButton();
    }
  }

  stop() {
    this.playing = false;
    this.showButton();
  }

  toggleLoop() {
    this.looping = !this.looping;
    this.loopButton.setAttribute("aria-pressed", this.looping);
  }

  faster(by) {
    const k = SPEEDS.indexOf(this.speed) + by;
    if (SPEEDS[k]) this.chooser.value = this.speed = SPEEDS[k];
  }

  showButton() {
    this.button.innerHTML = this.playing ? ICONS.pause : ICONS.play;
    this.button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  // Goes on by the time since the last frame; whether what is shown has changed.
  update(now) {
    if (this.playing) {
      // A tab that was hidden does not jump.
      if (this.last !== null) this.t += Math.min(0.1, (now - this.last) / 1000) * this.speed;
      this.last = now;
      if (this.t > this.span[1]) {
        this.t = this.looping ? this.span[0] : this.span[1];
        if (!this.looping) this.stop();
      }
      this.changed = true;
    }
    if (!this.changed) return false;
    this.changed = false;
    this.record = this.nearest(this.t);
    this.scrub.value = this.t;
    this.clock.textContent = `${this.t.toFixed(this.decimals)} s`;
    this.counter.textContent = `${this.record + 1} / ${this.time.length}`;
    return true;
  }
}
