import { art } from '@site/ui/art';
import { AssemblyLine, Brick, Drawing } from '@site/ui/blocks/primitives';
import { Leader } from '@site/ui/blocks/leader';

export const supportScene = art(
  <Drawing
    viewBox="-112 -146 318 254"
    title="A model of bricks has a gap. The missing brick is on its way down into it."
  >
    <Brick hue="ink" at={[-3, -3, -0.4]} size={[6, 6, 0.4]} />
    <Brick hue="paper" at={[-3, -3, 0]} size={[6, 2, 1.2]} />
    <Brick hue="blue" at={[1, -3, 1.2]} size={[2, 2, 1.2]} />
    <Brick hue="sun" at={[-3, -1, 0]} size={[2, 4, 1.2]} />
    <Brick hue="paper" at={[1, -1, 0]} size={[2, 4, 0.6]} />
    <AssemblyLine from={[-1, 1, 0]} to={4.6} />
    <AssemblyLine from={[1, 1, 0]} to={4.6} />
    <AssemblyLine from={[1, -1, 0.6]} to={4.6} />
    <Brick hue="signal" at={[-1, -1, 4.6]} size={[2, 2, 1.2]} />
    <Leader at={[1, 0, 5.2]} to={[84, -112]} label="The missing part" note="on its way" />
  </Drawing>,
);
