import { art, type Art } from '@site/ui/art';
import { Label } from '@site/ui/blocks/label';
import { AssemblyLine, Brick, DashedLine, Drawing, OnFace, Plane } from '@site/ui/blocks/primitives';
import type { FeatureDrawingName } from './about-features.data.ts';

/** Side of a map's cell, in user units: 2.5 degrees. */
const CELL = 14;

/**
 * Land from 50° N, 125° W: per row of 2.5 degrees the first and last column of each run. Columns are 2.5 degrees of
 * longitude.
 */
const land: readonly (readonly (readonly [first: number, last: number])[])[] = [
  [[0, 24]],
  [
    [1, 13],
    [16, 24],
  ],
  [
    [1, 14],
    [16, 16],
    [18, 24],
  ],
  [
    [0, 14],
    [16, 21],
  ],
  [[1, 20]],
  [[1, 19]],
  [[2, 19]],
  [[3, 18]],
  [[4, 17]],
  [
    [4, 4],
    [6, 11],
    [17, 17],
  ],
  [
    [5, 5],
    [7, 11],
    [18, 18],
  ],
  [
    [8, 11],
    [16, 18],
  ],
  [
    [8, 11],
    [14, 15],
    [19, 19],
    [21, 22],
  ],
  [
    [10, 14],
    [24, 24],
  ],
  [[13, 16]],
  [
    [15, 16],
    [21, 21],
  ],
  [
    [16, 18],
    [20, 25],
  ],
  [[18, 26]],
  [[19, 26]],
  [[19, 26]],
  [[18, 26]],
  [[18, 26]],
  [[18, 26]],
];

const cells = (rows: readonly (readonly [row: number, first: number, last: number])[]) =>
  rows
    .map(
      ([row, first, last]) =>
        `M${first * CELL} ${row * CELL}h${(last - first + 1) * CELL}v${CELL}h${(first - last - 1) * CELL}z`,
    )
    .join('');

const coast = cells(land.flatMap((runs, row) => runs.map(([first, last]) => [row, first, last] as const)));
const colorado = cells([
  [4, 7, 9],
  [5, 7, 9],
]);
const colombia = cells([
  [15, 21, 21],
  [16, 20, 21],
  [17, 19, 21],
  [18, 19, 22],
  [19, 19, 23],
  [20, 20, 22],
  [21, 22, 22],
]);

const WIDTH = 27 * CELL;
const HEIGHT = land.length * CELL;
const boulder = [8.5 * CELL, 4.6 * CELL] as const;
const bogota = [20.7 * CELL, 18.4 * CELL] as const;

function Bricks({ hue, d, line = 2.4 }: { hue: string; d: string; line?: number }) {
  return (
    <g className={`hue-${hue}`}>
      <path d={d} strokeWidth={line * 2} />
      <path d={d} fill="color-mix(in srgb, var(--hue) 55%, var(--face-left))" stroke="none" />
      <path d={d} fill={`url(#map-${hue})`} stroke="none" />
    </g>
  );
}

function Pin({ at: [x, y] }: { at: readonly [number, number] }) {
  return (
    <g className="hue-paper">
      <circle cx={x} cy={y} r="11" fill="var(--face-top)" strokeWidth="2" />
      <circle cx={x} cy={y} r="4.5" fill="var(--draw)" stroke="none" />
    </g>
  );
}

interface PlaqueProps {
  at: readonly [x: number, y: number];
  size: readonly [width: number, height: number];
  from: readonly [x: number, y: number];
  to: readonly [x: number, y: number];
}

function Plaque({ at, size, from, to }: PlaqueProps) {
  return (
    <>
      <path d={`M${from.join(' ')}L${to.join(' ')}`} strokeWidth="1.6" />
      <Pin at={to} />
      <path d={`M${at.join(' ')}h${size[0]}v${size[1]}h${-size[0]}z`} fill="var(--sheet)" strokeWidth="1.6" />
    </>
  );
}

export const officesMap = art(
  <Drawing
    viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
    title="Map built of studs: one office in the United States, in Colorado, and one in Colombia, joined by a dashed line."
  >
    <defs>
      {(['paper', 'signal', 'sun'] as const).map((hue) => (
        <pattern key={hue} id={`map-${hue}`} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
          <g className={`hue-${hue}`}>
            <circle cx="7.7" cy="7.9" r="4" stroke="none" fill="var(--face-right)" opacity="0.6" />
            <circle
              cx="7"
              cy="7"
              r="4"
              stroke="none"
              fill="color-mix(in srgb, var(--hue) 75%, var(--face-left))"
            />
          </g>
        </pattern>
      ))}
      <pattern id="map-sea" width={CELL} height={CELL} patternUnits="userSpaceOnUse">
        <circle cx="7" cy="7" r="3.6" stroke="var(--leader)" strokeWidth="0.7" opacity="0.45" />
      </pattern>
    </defs>
    <path d={`M0 0H${WIDTH}V${HEIGHT}H0z`} fill="var(--blue-tint)" stroke="none" />
    <path d={`M0 0H${WIDTH}V${HEIGHT}H0z`} fill="url(#map-sea)" stroke="none" />
    <Bricks hue="paper" d={coast} line={1.2} />
    <Bricks hue="signal" d={colorado} line={1} />
    <Bricks hue="sun" d={colombia} line={1} />
    <path
      d={`M${boulder.join(' ')}C${boulder[0] + 20} ${bogota[1] - 20} ${bogota[0] - 120} ${bogota[1] + 20} ${bogota.join(' ')}`}
      stroke="var(--draw)"
      strokeWidth="2"
      strokeDasharray="1 6"
    />
    <path d={`M0 0H${WIDTH}V${HEIGHT}H0z`} strokeWidth="3" />
    <Plaque at={[12, 196]} size={[126, 32]} from={[60, 196]} to={boulder} />
    <Label x={24} y={217} text="United States" />
    <Plaque at={[276, 112]} size={[90, 32]} from={[322, 144]} to={bogota} />
    <Label x={288} y={133} text="Colombia" />
  </Drawing>,
);

const tick = <path d="m9 12 6 7 12-14" strokeWidth="4" />;

export const featureDrawings: Record<FeatureDrawingName, Art> = {
  ready: art(
    <Drawing viewBox="-82 -96 164 156">
      <Brick hue="blue" at={[-2, -2, 0]} size={[4, 4, 0.4]} />
      <Brick hue="sun" at={[-1, -1, 0.4]} size={[2, 2, 1.2]} studs={false} />
      <Brick hue="signal" at={[-1, -1, 1.6]} size={[2, 2, 1.2]} />
      <OnFace face="left" at={[-1, 1, 1.6]}>
        {tick}
      </OnFace>
    </Drawing>,
  ),
  cloud: art(
    <Drawing viewBox="-82 -96 164 156">
      <AssemblyLine from={[-2, 2, -0.8]} to={1} />
      <AssemblyLine from={[2, 2, -0.8]} to={1} />
      <AssemblyLine from={[2, -2, -0.8]} to={1} />
      <Brick hue="blue" at={[-2, -2, 1]} size={[4, 4, 0.6]} />
      <Brick hue="paper" at={[-2, -1, 1.6]} size={[3, 2, 0.8]} />
      <Brick hue="paper" at={[-1, -1, 2.4]} size={[1, 1, 0.8]} />
    </Drawing>,
  ),
  isolated: art(
    <Drawing viewBox="-82 -96 164 156">
      <g className="hue-blue">
        <Plane
          face="top"
          points={[
            [-2, -2, 0],
            [2, -2, 0],
            [2, 2, 0],
            [-2, 2, 0],
          ]}
        />
        <Plane
          face="left"
          points={[
            [-2, -2, 0],
            [2, -2, 0],
            [2, -2, 2],
            [-2, -2, 2],
          ]}
        />
        <Plane
          face="right"
          points={[
            [-2, -2, 0],
            [-2, 2, 0],
            [-2, 2, 2],
            [-2, -2, 2],
          ]}
        />
      </g>
      <Brick hue="signal" at={[-1, -1, 0]} size={[2, 2, 1.2]} />
      <Brick hue="blue" at={[-2, 1.7, 0]} size={[4, 0.3, 0.7]} studs={false} />
      <Brick hue="blue" at={[1.7, -2, 0]} size={[0.3, 4, 0.7]} studs={false} />
    </Drawing>,
  ),
  available: art(
    // The plate is wider than the others but has the same left edge.
    <Drawing viewBox="-91 -105 173 165">
      <Brick hue="ink" at={[-3, -1.5, -0.4]} size={[6, 3, 0.4]} studs={false} />
      <Brick hue="sun" at={[-2.7, -0.8, 0]} size={[1.6, 1.6, 1.2]} />
      <Brick hue="sun" at={[-0.8, -0.8, 0]} size={[1.6, 1.6, 1.2]} />
      <DashedLine
        points={[
          [1.1, 0.8, 0],
          [1.1, 0.8, 1.2],
          [2.7, 0.8, 1.2],
          [2.7, 0.8, 0],
          [1.1, 0.8, 0],
        ]}
      />
      <DashedLine
        points={[
          [2.7, 0.8, 0],
          [2.7, -0.8, 0],
          [2.7, -0.8, 1.2],
          [2.7, 0.8, 1.2],
        ]}
      />
      <DashedLine
        points={[
          [1.1, 0.8, 1.2],
          [1.1, -0.8, 1.2],
          [2.7, -0.8, 1.2],
        ]}
      />
    </Drawing>,
  ),
};
