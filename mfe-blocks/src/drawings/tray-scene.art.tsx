import { art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, Cylinder, Drawing, type Hue } from '@site/ui/blocks/primitives';

type Size = readonly [number, number, number];
interface Piece {
  hue: Hue;
  at: Size;
  size: Size;
  studs?: boolean;
}

/** Side of a compartment. Its content is at most 2 units wide. */
const CELL = 2.6;
const WALL = 0.16;
const RIM = 0.7;

const piece = (hue: Hue, at: Size, size: Size, studs = true): Piece => ({ hue, at, size, studs });

const cells: readonly (readonly Piece[])[] = [
  [piece('blue', [0, 0, 0], [1, 2, 1.8]), piece('paper', [1, 0, 0], [1, 2, 0.9])],
  [piece('paper', [0, 0, 0], [2, 2, 0.5], false), piece('sun', [0, 0, 0.5], [2, 2, 0.5], false)],
  [piece('signal', [0, 0, 0], [2, 2, 0.6])],
  [
    piece('paper', [0, 0, 0], [1, 1, 1]),
    piece('blue', [1, 0, 0], [1, 1, 1]),
    piece('sun', [0, 1, 0], [2, 1, 0.5]),
  ],
  [piece('ink', [0, 0, 0], [2, 2, 0.6]), piece('signal', [0, 0, 0.6], [1, 1, 0.6])],
  [piece('sun', [0, 0, 0], [2, 1, 1.2]), piece('paper', [0, 1, 0], [2, 1, 0.6])],
  [],
  [piece('blue', [0, 0, 0], [2, 2, 1])],
  [
    piece('sun', [0, 0, 0], [1, 1, 0.6]),
    piece('signal', [1, 0, 0], [1, 1, 1.2]),
    piece('paper', [0, 1, 0], [1, 1, 1]),
  ],
  [piece('paper', [0, 0, 0], [2, 2, 0.4], false), piece('blue', [0.5, 0.5, 0.4], [1, 1, 0.8])],
  [piece('ink', [0, 0, 0], [2, 1, 0.6]), piece('blue', [0, 1, 0], [2, 1, 0.6])],
  [piece('sun', [0, 0, 0], [2, 2, 0.4]), piece('sun', [0, 0, 0.4], [1, 2, 0.4])],
  [piece('paper', [0, 0, 0], [1, 2, 1]), piece('signal', [1, 0, 0], [1, 2, 0.5])],
  [],
  [piece('blue', [0, 0, 0], [2, 2, 0.4]), piece('paper', [0, 0, 0.4], [2, 1, 0.6])],
];

function Compartment({ column, row, pieces }: { column: number; row: number; pieces: readonly Piece[] }) {
  const [x, y] = [column * CELL, row * CELL];
  return (
    <>
      <Brick hue="paper" studs={false} at={[x, y, 0]} size={[CELL, WALL, RIM]} />
      <Brick hue="paper" studs={false} at={[x, y + WALL, 0]} size={[WALL, CELL - WALL, RIM]} />
      {pieces.map(({ hue, at, size, studs = true }, index) => (
        <Brick
          key={index}
          hue={hue}
          studs={studs}
          at={[x + 0.4 + at[0], y + 0.4 + at[1], at[2]]}
          size={size}
        />
      ))}
    </>
  );
}

const [width, depth] = [5 * CELL, 3 * CELL];
const [liftX, liftY] = [CELL + 0.4, CELL + 0.4];

export const trayScene = art(
  <Drawing
    viewBox="-176 -150 418 372"
    title="Drawing: a sorting tray with fifteen compartments of bricks. One brick, Auth, is lifted out of it."
  >
    <Brick hue="ink" studs={false} at={[-0.2, -0.2, -0.3]} size={[width + 0.6, depth + 0.6, 0.3]} />
    {cells.map((pieces, index) => (
      <Compartment key={index} column={index % 5} row={Math.floor(index / 5)} pieces={pieces} />
    ))}
    <g className="hue-sun">
      {[0, 0.35, 0.7].map((z) => (
        <Cylinder key={z} at={[3 * CELL + 1.4, 2 * CELL + 1.4, z]} radius={0.75} height={0.35} />
      ))}
    </g>
    <Brick hue="paper" studs={false} at={[0, depth, 0]} size={[width + WALL, WALL, RIM]} />
    <Brick hue="paper" studs={false} at={[width, 0, 0]} size={[WALL, depth, RIM]} />
    <AssemblyLine from={[liftX, liftY + 2, 0.2]} to={6} />
    <AssemblyLine from={[liftX + 2, liftY + 2, 0.2]} to={6} />
    <AssemblyLine from={[liftX + 2, liftY, 0.2]} to={6} />
    <Brick hue="signal" at={[liftX, liftY, 6]} size={[2, 2, 1.2]} />
    <Leader at={[liftX + 2, liftY + 0.6, 6.7]} to={[104, -88]} count={1} label="Auth" />
    <Leader at={[3.6, depth + WALL, 0.35]} to={[-102, 158]} label="15 parts" />
  </Drawing>,
);
