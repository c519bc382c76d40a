import { art } from '@site/ui/art';
import { Brick, DashedLine, Drawing } from '@site/ui/blocks/primitives';

/** Distance of two slots. `assembler.module.css` has the places of the pieces on this drawing, in percent. */
const SLOT = 2.9;
const slots = Array.from({ length: 15 }, (_, at) => [(at % 5) * SLOT, Math.floor(at / 5) * SLOT] as const);

export const plate = art(
  <Drawing viewBox="-168 -64 430 306">
    <Brick hue="paper" studs={false} at={[-0.7, -0.7, -0.5]} size={[5 * SLOT + 0.5, 3 * SLOT + 0.5, 0.5]} />
    {slots.map(([x, y]) => (
      <DashedLine
        key={`${x} ${y}`}
        points={[
          [x, y, 0],
          [x + 2, y, 0],
          [x + 2, y + 2, 0],
          [x, y + 2, 0],
          [x, y, 0],
        ]}
      />
    ))}
  </Drawing>,
);
