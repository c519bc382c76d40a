import { art } from '../art.tsx';
import { Brick, Drawing } from './primitives.tsx';

export const finishedScene = art(
  <Drawing viewBox="-108 -134 216 212">
    <Brick hue="ink" at={[-3, -3, -0.4]} size={[6, 6, 0.4]} />
    <Brick hue="paper" at={[-3, -3, 0]} size={[2, 2, 1.2]} />
    <Brick hue="sun" at={[-1, -3, 0]} size={[4, 2, 1.2]} />
    <Brick hue="signal" at={[-3, -3, 1.2]} size={[4, 2, 1.2]} />
    <Brick hue="blue" at={[-3, -1, 0]} size={[2, 2, 1.2]} />
    <Brick hue="paper" at={[-1, -1, 0]} size={[2, 2, 1.2]} />
    <Brick hue="signal" at={[1, -1, 0]} size={[2, 2, 0.6]} />
    <Brick hue="blue" at={[-3, -3, 2.4]} size={[2, 2, 0.8]} />
    <Brick hue="paper" at={[-1, 1, 0]} size={[2, 2, 0.6]} />
  </Drawing>,
);
