/**
 * A point in brick space: x runs to the lower right, y to the lower left, z up. One unit is the distance between two
 * studs.
 */
export type Point = readonly [x: number, y: number, z: number];

export const UNIT = 20;
const COS = Math.sqrt(3) / 2;

const round = (value: number) => Math.round(value * 10) / 10;

/** Projects a point of brick space onto the drawing (isometric projection, y down). */
export function project([x, y, z]: Point): readonly [number, number] {
  return [round((x - y) * COS * UNIT), round(((x + y) / 2 - z) * UNIT)];
}

export function path(points: readonly Point[], open = false): string {
  return 'M' + points.map((point) => project(point).join(' ')).join('L') + (open ? '' : 'Z');
}

export function boxFaces([x, y, z]: Point, [w, d, h]: Point) {
  return {
    top: path([
      [x, y, z + h],
      [x + w, y, z + h],
      [x + w, y + d, z + h],
      [x, y + d, z + h],
    ]),
    left: path([
      [x, y + d, z],
      [x + w, y + d, z],
      [x + w, y + d, z + h],
      [x, y + d, z + h],
    ]),
    right: path([
      [x + w, y, z],
      [x + w, y + d, z],
      [x + w, y + d, z + h],
      [x + w, y, z + h],
    ]),
  };
}

function flatCircle(r: number): readonly [rx: number, ry: number] {
  return [round(r * Math.sqrt(1.5) * UNIT), round(r * Math.sqrt(0.5) * UNIT)];
}

export function disc(center: Point, r: number): string {
  const [rx, ry] = flatCircle(r);
  const [cx, cy] = project(center);
  return `M${round(cx - rx)} ${cy}a${rx} ${ry} 0 1 1 0 .1z`;
}

/** Outline of a vertical cylinder's side: from the rim of its top, down, and around the front of its base. */
export function cylinderSide([x, y, z]: Point, r: number, h: number): string {
  const [rx, ry] = flatCircle(r);
  const [cx, top] = project([x, y, z + h]);
  const [, foot] = project([x, y, z]);
  return `M${round(cx - rx)} ${top}V${foot}A${rx} ${ry} 0 0 0 ${round(cx + rx)} ${foot}V${top}Z`;
}

/**
 * The `transform` that maps flat SVG content onto a face. Content is in user units with y down. (0, 0) is the upper
 * left corner of the visible face.
 */
export function onFace(face: 'top' | 'left' | 'right', at: Point): string {
  const axes = {
    top: [COS, 0.5, -COS, 0.5],
    left: [COS, 0.5, 0, 1],
    right: [COS, -0.5, 0, 1],
  }[face].map((value) => Math.round(value * 1000) / 1000);
  return `matrix(${axes.join(' ')} ${project(at).join(' ')})`;
}
