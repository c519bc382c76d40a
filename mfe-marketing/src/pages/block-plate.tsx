import type { BlockName } from '@site/ui/blocks/block-name';
import { glyphs } from '@site/ui/blocks/glyphs';
import { AssemblyLine, Brick, OnFace, type Hue } from '@site/ui/blocks/primitives';

type Point = readonly [x: number, y: number, z: number];

const PITCH = 3;
const MARGIN = 0.45;
const PLATE_HEIGHT = 0.4;

export const plateSide = (places: number) => places * PITCH;

export interface PlateProps {
  at: Point;
  columns: number;
  rows: number;
  hue?: Hue;
  height?: number;
}

/** A studded plate with places for `columns × rows` blocks. */
export function Plate({ at, columns, rows, hue = 'blue', height = PLATE_HEIGHT }: PlateProps) {
  const [width, depth] = [plateSide(columns), plateSide(rows)];
  // One pattern for all studs: fewer elements than two shapes per stud.
  const pattern = `studs-${hue}`;
  return (
    <g className={`hue-${hue}`}>
      <Brick at={at} size={[width, depth, height]} studs={false} />
      <pattern id={pattern} width="20" height="20" patternUnits="userSpaceOnUse">
        <path d="m14.2 5.800 4 4a6 6 0 0 1-8.400 8.400l-4-4z" fill="var(--face-left)" />
        <circle cx="10" cy="10" r="6" fill="var(--face-top)" />
      </pattern>
      <OnFace face="top" at={[at[0], at[1], at[2] + height]}>
        <path d={`M0 0h${width * 20}v${depth * 20}H0z`} fill={`url(#${pattern})`} />
      </OnFace>
    </g>
  );
}

export interface PlacedBlockProps {
  name: BlockName;
  /** The plate's corner. */
  plate?: Point;
  column: number;
  row: number;
  lift?: number;
  only?: 'lines' | 'block';
}

export function PlacedBlock({ name, plate = [0, 0, 0], column, row, lift = 0, only }: PlacedBlockProps) {
  const x = plate[0] + MARGIN + column * PITCH;
  const y = plate[1] + MARGIN + row * PITCH;
  const z = plate[2] + PLATE_HEIGHT;
  return (
    <>
      {lift > 0 && only !== 'block' && (
        <Verticals
          corners={[
            [x, y + 2],
            [x + 2, y + 2],
            [x + 2, y],
          ]}
          from={z}
          to={z + lift}
        />
      )}
      {only !== 'lines' && <GlyphAt name={name} at={[x, y, z + lift]} />}
    </>
  );
}

export function GlyphAt({ name, at: [x, y, z] }: { name: BlockName; at: Point }) {
  // Offset from the corner because most blocks are smaller than two units.
  const left = Math.round((x - y) * 173.2) / 10 + 3;
  const top = Math.round(((x + y) / 2 - z) * 200) / 10 + 3;
  return <g transform={`translate(${left} ${top})`}>{glyphs[name]()}</g>;
}

export interface VerticalsProps {
  corners: readonly (readonly [x: number, y: number])[];
  from: number;
  to: number;
}

/** Vertical assembly lines below a lifted part. */
export function Verticals({ corners, from, to }: VerticalsProps) {
  return corners.map(([x, y]) => <AssemblyLine key={`${x} ${y}`} from={[x, y, from]} to={to} />);
}
