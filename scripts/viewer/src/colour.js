// Colours: of bodies, of curves, and scales for what colours a rod.
import {Color} from "three";

// Told apart also by those who see few colours (after Okabe and Ito, softened).
export const BODIES = ["#4c8ed9", "#e8975a", "#4fae8b", "#d9679a", "#8d7fd1", "#d8b545", "#5bb5c9",
  "#c46b5c"];
export const FIXED = "#9aa3b0";
export const CURVES = ["#3b82f6", "#f59e0b", "#10b981", "#ec4899", "#8b5cf6"];
export const CONTACT = "#ef4444";

const SEQUENTIAL = ["#3b2a8c", "#3c4fb0", "#2f78b7", "#279bab", "#35b995", "#7ad173", "#c4df55",
  "#fde54b"];
const DIVERGING = ["#1d4fb8", "#4b82d8", "#93b5e6", "#cfd5de", "#efb48f", "#dd7350", "#b3261e"];

function channels(hex) {
  return [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
}

// 256 colours as linear r, g, b for vertices, and as a gradient of CSS.
function scale(stops) {
  const table = new Float32Array(256 * 3), color = new Color();
  for (let i = 0; i < 256; i++) {
    const at = i / 255 * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2);
    const from = channels(stops[k]), to = channels(stops[k + 1]);
    const [r, g, b] = from.map((c, j) => Math.round(c + (at - k) * (to[j] - c)));
    color.setStyle(`rgb(${r},${g},${b})`).toArray(table, 3 * i);
  }
  return {table, css: `linear-gradient(90deg, ${stops.join(", ")})`};
}

export const sequential = scale(SEQUENTIAL);
export const diverging = scale(DIVERGING);
