// What the page shows: its description (JSON) and its numbers (typed arrays in one packed block).

const TYPES = {f4: Float32Array, f8: Float64Array, i4: Int32Array, i2: Int16Array};

export async function load() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = atob(document.getElementById("numbers").textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(unpacked).arrayBuffer();
  data.array = name => {
    const [type, offset, shape] = data.arrays[name];
    return new TYPES[type](buffer, offset, shape.reduce((a, b) => a * b, 1));
  };
  data.shape = name => data.arrays[name][2];
  return data;
}

// The records on both sides of a time, and how far it lies from the first to the second.
export function bracket(time, t) {
  let a = 0, b = time.length - 1;
  if (b === 0 || t <= time[0]) return {a: 0, b: 0, f: 0};
  if (t >= time[b]) return {a: b, b, f: 0};
  while (b - a > 1) {
    const middle = (a + b) >> 1;
    if (time[middle] <= t) a = middle; else b = middle;
  }
  return {a, b, f: (t - time[a]) / (time[b] - time[a])};
}

// out[k] = values between two records of `width` numbers each.
export function lerp(out, values, width, {a, b, f}, from = 0, count = width) {
  const i = a * width + from, j = b * width + from;
  for (let k = 0; k < count; k++) out[k] = values[i + k] + f * (values[j + k] - values[i + k]);
}

// The same of quaternions (w, x, y, z), on the shorter way and of length 1.
export function lerpRotations(out, values, width, {a, b, f}, from = 0, count = width) {
  for (let k = 0; k < count; k += 4) {
    const i = a * width + from + k, j = b * width + from + k;
    let dot = 0, sum = 0;
    for (let c = 0; c < 4; c++) dot += values[i + c] * values[j + c];
    const g = dot < 0 ? -f : f;
    for (let c = 0; c < 4; c++) {
      out[k + c] = (1 - f) * values[i + c] + g * values[j + c];
      sum += out[k + c] * out[k + c];
    }
    const scale = 1 / Math.sqrt(sum || 1);
    for (let c = 0; c < 4; c++) out[k + c] *= scale;
  }
}
