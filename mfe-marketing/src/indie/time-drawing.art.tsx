import { art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, DashedLine, Drawing, type Hue } from '@site/ui/blocks/primitives';
import { Plate } from '../pages/block-plate.tsx';

const hues: readonly Hue[] = ['blue', 'sun', 'paper', 'signal'];
const BRICK = 0.9;
/** Base height of both towers. */
const FOOT = 0.4;
const top = (bricks: number) => FOOT + bricks * BRICK;

export const timeDrawing = art(
  <Drawing
    viewBox="-134 -202 318 306"
    title="Two towers of bricks. From scratch: ten bricks of time. With blocks: two bricks of time, 80 percent less."
  >
    <Plate at={[0, 0, 0]} columns={2} rows={1} hue="ink" />
    <Tower x={0.5} bricks={10} />
    <Tower x={3.5} bricks={2} />
    <Saved x={3.5} />
    <Leader at={[0.5, 2.2, top(7.5)]} to={[-46, -118]} label="From scratch" note="10 × time" />
    <Leader at={[5.5, 1, top(6.5)]} to={[102, -64]} label="80% saved" />
    <Leader at={[5.5, 1, top(1)]} to={[102, 20]} label="With blocks" note="2 × time" />
  </Drawing>,
);

function Tower({ x, bricks }: { x: number; bricks: number }) {
  return Array.from({ length: bricks }, (_, index) => (
    <Brick
      key={index}
      hue={hues[index % hues.length] ?? 'blue'}
      at={[x, 0.5, top(index)]}
      size={[2, 2, BRICK]}
      // Only the top studs are visible.
      studs={index === bricks - 1}
    />
  ));
}

function Saved({ x }: { x: number }) {
  const [left, right, back, front, low, high] = [x, x + 2, 0.5, 2.5, top(2), top(10)];
  return (
    <>
      <DashedLine
        points={[
          [left, front, low],
          [left, front, high],
          [left, back, high],
          [right, back, high],
          [right, back, low],
        ]}
      />
      <DashedLine
        points={[
          [left, front, high],
          [right, front, high],
          [right, back, high],
        ]}
      />
      <AssemblyLine from={[right, front, high]} to={low} />
    </>
  );
}
