import type { ReactNode } from 'react';
import { boxFaces, cylinderSide, disc, onFace, path, type Point } from './iso.ts';

export type Hue = 'signal' | 'blue' | 'sun' | 'paper' | 'ink';

const TOP = 'var(--face-top)';
const LEFT = 'var(--face-left)';
const RIGHT = 'var(--face-right)';

export interface BrickProps {
  at: Point;
  /** Width along x, depth along y, height. A flat plate is 0.4 high, a brick 1.2. */
  size: Point;
  hue?: Hue;
  studs?: boolean;
}

/** A brick with studs. Draw from back to front and from bottom to top: later bricks cover earlier ones. */
export function Brick({ at, size, hue, studs = true }: BrickProps) {
  const faces = boxFaces(at, size);
  const feet = studs ? studFeet(at, size) : [];
  return (
    <g className={hue && `hue-${hue}`}>
      <path d={faces.left} fill={LEFT} />
      <path d={faces.right} fill={RIGHT} />
      <path d={faces.top} fill={TOP} />
      {studs && (
        <>
          <path d={feet.map((foot) => cylinderSide(foot, 0.3, 0.2)).join('')} fill={LEFT} />
          <path d={feet.map(([x, y, z]) => disc([x, y, z + 0.2], 0.3)).join('')} fill={TOP} />
        </>
      )}
    </g>
  );
}

/** The stud positions of a brick. Studs do not overlap, so all of them fit into one path. */
function studFeet([x, y, z]: Point, [w, d, h]: Point): Point[] {
  return Array.from({ length: Math.floor(w) * Math.floor(d) }, (_, index) => {
    const column = index % Math.floor(w);
    const row = Math.floor(index / Math.floor(w));
    return [x + column + 0.5, y + row + 0.5, z + h];
  });
}

export interface CylinderProps {
  at: Point;
  radius: number;
  height: number;
  hue?: Hue;
}

export function Cylinder({ at, radius, height, hue }: CylinderProps) {
  const [x, y, z] = at;
  return (
    <g className={hue && `hue-${hue}`}>
      <path d={cylinderSide(at, radius, height)} fill={LEFT} />
      <path d={disc([x, y, z + height], radius)} fill={TOP} />
    </g>
  );
}

export interface PlaneProps {
  points: readonly Point[];
  face?: 'top' | 'left' | 'right';
  hue?: Hue;
}

export function Plane({ points, face = 'top', hue }: PlaneProps) {
  return (
    <path
      className={hue && `hue-${hue}`}
      d={path(points)}
      fill={{ top: TOP, left: LEFT, right: RIGHT }[face]}
    />
  );
}

export interface OnFaceProps {
  face: 'top' | 'left' | 'right';
  at: Point;
  children: ReactNode;
}

/** SVG content (20 user units per unit) mapped onto a face: a print on a brick. */
export function OnFace({ face, at, children }: OnFaceProps) {
  return <g transform={onFace(face, at)}>{children}</g>;
}

export function DashedLine({ points }: { points: readonly Point[] }) {
  return (
    <path d={path(points, true)} fill="none" stroke="var(--leader)" strokeWidth="1.2" strokeDasharray="4 4" />
  );
}

export interface AssemblyLineProps {
  from: Point;
  to: number;
}

export function AssemblyLine({ from, to }: AssemblyLineProps) {
  return <DashedLine points={[from, [from[0], from[1], to]]} />;
}

export interface DrawingProps {
  viewBox: string;
  title?: string;
  children: ReactNode;
}

export function Drawing({ viewBox, children }: DrawingProps) {
  const [, , width, height] = viewBox.split(' ');
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={viewBox}
      width={width}
      height={height}
      fill="none"
      stroke="var(--draw)"
      strokeWidth="1.4"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      {children}
    </svg>
  );
}
