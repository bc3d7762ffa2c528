// Floors: planes of the scene, or a bare grid below a scene without one. Lines are at round distances and
// fade out; a plane of the scene also takes shadows.
import * as THREE from "three";

// 1, 2 or 5 times a power of ten.
export function round(x) {
  const power = 10 ** Math.floor(Math.log10(x)), over = x / power;
  return (over < 1.5 ? 1 : over < 3.5 ? 2 : over < 7.5 ? 5 : 10) * power;
}

export class Floor {
  constructor(diagonal, solid) {
    const size = 12 * diagonal;
    this.group = new THREE.Group();
    this.spacing = round(diagonal / 12);
    this.material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        line: {value: new THREE.Color()}, ground: {value: new THREE.Color()},
        strength: {value: 0.5}, fill: {value: solid ? 0.55 : 0}, spacing: {value: this.spacing},
        reach: {value: 0.5 * size}, middle: {value: new THREE.Vector2()},
      },
      vertexShader: `
        varying vec2 at;
        void main() {
          at = position.xy;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: `
        varying vec2 at;
        uniform vec3 line, ground;
        uniform vec2 middle;
        uniform float strength, fill, spacing, reach;
        float lines(float distance) {
          vec2 x = at / distance, width = fwidth(x);
          vec2 near = abs(fract(x - 0.5) - 0.5) / width;
          // Lines closer than pixels would flicker.
          return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.2, 0.6, max(width.x, width.y)));
        }
        void main() {
          float fade = 1.0 - smoothstep(0.1, 0.95, length(at - middle) / reach);
          float drawn = strength * max(lines(spacing) * 0.5, lines(5.0 * spacing));
          float alpha = fade * max(drawn, fill);
          gl_FragColor = vec4(mix(ground, line, drawn), alpha);
          #include <colorspace_fragment>
        }`,
    });
    const plane = new THREE.PlaneGeometry(size, size);
    const grid = new THREE.Mesh(plane, this.material);
    grid.renderOrder = -2;
    this.group.add(grid);
    if (solid) {
      this.shadow = new THREE.ShadowMaterial({opacity: 0.22, depthWrite: false});
      const shadow = new THREE.Mesh(plane, this.shadow);
      shadow.receiveShadow = true;
      shadow.renderOrder = -1;
      this.group.add(shadow);
    }
    for (const mesh of this.group.children) mesh.frustumCulled = false;
    this.group.matrixAutoUpdate = false;
  }

  // Where the plane stands, and around which point of the world its lines are drawn.
  place(matrix, middle) {
    this.group.matrix.copy(matrix);
    this.group.matrixWorldNeedsUpdate = true;
    local.copy(middle).applyMatrix4(inverse.copy(matrix).invert());
    this.material.uniforms.middle.value.set(local.x, local.y);
  }

  theme(dark) {
    const u = this.material.uniforms;
    u.line.value.set(dark ? "#8b95a7" : "#7b8698");
    u.ground.value.set(dark ? "#222833" : "#ffffff");
    if (this.shadow) this.shadow.opacity = dark ? 0.45 : 0.2;
  }
}

const inverse = new THREE.Matrix4(), local = new THREE.Vector3();
