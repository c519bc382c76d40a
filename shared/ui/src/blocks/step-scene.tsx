import type { ReactNode } from 'react';
import { AssemblyLine, Brick, Drawing, OnFace } from './primitives.tsx';

export interface StepSceneProps {
  /** 1: the app, an empty plate. 2: blocks laid out. 3: built and tested. 4: the frontend plugs in. */
  step: 1 | 2 | 3 | 4;
}

/** The drawing of one of the four steps to start. All four share one scale, so they can stand side by side. */
export function StepScene({ step }: StepSceneProps) {
  return <Drawing viewBox="-96 -114 192 166">{scenes[step]()}</Drawing>;
}

const plate = <Brick hue="blue" at={[-2, -2, -0.4]} size={[4, 4, 0.4]} />;

const scenes: Record<StepSceneProps['step'], () => ReactNode> = {
  1: () => (
    <>
      {plate}
      <Arrow />
    </>
  ),
  2: () => (
    <>
      <Brick hue="signal" at={[-2.3, -2.3, -0.4]} size={[2, 2, 1.2]} />
      <Brick hue="sun" at={[0.3, -2.3, -0.4]} size={[2, 2, 0.6]} />
      <Brick hue="paper" at={[-2.3, 0.4, -0.4]} size={[1, 2, 1.2]} />
      <Brick hue="blue" at={[0.2, 0.2, -0.4]} size={[2, 2, 0.4]} />
    </>
  ),
  3: () => (
    <>
      {plate}
      <Brick hue="signal" at={[-2, -2, 0]} size={[2, 2, 1.2]} />
      <Brick hue="sun" at={[0, -2, 0]} size={[2, 2, 0.6]} />
      <AssemblyLine
        points={[
          [-2, 2, 0],
          [-2, 2, 1.8],
        ]}
      />
      <AssemblyLine
        points={[
          [-1, 2, 0],
          [-1, 2, 1.8],
        ]}
      />
      <Brick hue="paper" at={[-2, 0, 1.6]} size={[1, 2, 1.2]} />
      <g transform="translate(50 22)">
        <circle r="15" className="hue-sun" fill="var(--sheet)" />
        <path d="m-6 .5 4.5 4.5L7-5" strokeWidth="3" />
      </g>
    </>
  ),
  4: () => (
    <>
      {plate}
      <Brick hue="signal" at={[-2, -2, 0]} size={[2, 2, 1.2]} />
      <Brick hue="sun" at={[0, -2, 0]} size={[2, 2, 1.2]} />
      <Brick hue="paper" at={[-2, 0, 0]} size={[2, 2, 1.2]} />
      <AssemblyLine
        points={[
          [-2, 2, 1.2],
          [-2, 2, 2.6],
        ]}
      />
      <AssemblyLine
        points={[
          [2, 2, 0],
          [2, 2, 2.6],
        ]}
      />
      <AssemblyLine
        points={[
          [2, -2, 1.2],
          [2, -2, 2.6],
        ]}
      />
      <Brick hue="paper" studs={false} at={[-2, -2, 2.6]} size={[4, 4, 0.3]} />
      <OnFace face="top" at={[-2, -2, 2.9]}>
        <path d="M0 14h80" />
        <path d="M10 28h34M10 39h24" strokeWidth="5" />
        <path className="hue-signal" d="M10 54h26v13H10z" fill="var(--face-left)" />
        <path className="hue-blue" d="M52 26h18v41H52z" fill="var(--face-top)" />
      </OnFace>
    </>
  ),
};

/** The manual's arrow: put it here. */
function Arrow() {
  return <path className="hue-signal" d="M-9-84H9v26h13L0-32l-22-26h13z" fill="var(--face-left)" />;
}
