import { Brick, Drawing, type Hue } from '@site/ui/blocks/primitives';

const hues: Hue[] = ['blue', 'sun', 'paper', 'signal', 'ink'];

/** Ten bricks of work against two: 80 percent less, to be counted. */
export function TimeDrawing() {
  return (
    <Drawing
      viewBox="-16 -62 412 296"
      title="Two rows of bricks. Built from scratch: ten bricks of time. With blocks: two bricks of time, 80 percent less."
    >
      <Row count={10} />
      <text x="0" y="-46">
        From scratch
      </text>
      <g transform="translate(0 112)">
        <text x="0" y="-38">
          With blocks
        </text>
        <Row count={2} />
      </g>
    </Drawing>
  );
}

function Row({ count }: { count: number }) {
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <Brick
          key={index}
          hue={hues[index % hues.length] ?? 'blue'}
          at={[index * 1.05, 0, 0]}
          size={[1, 1, 1]}
        />
      ))}
    </>
  );
}
