import type { ReactNode } from 'react';
import { art, type Art } from '@site/ui/art';
import { AssemblyLine, Brick, Drawing, OnFace, type Hue } from '@site/ui/blocks/primitives';

type Week = 1 | 2 | 3 | 4;

export interface WeekScene {
  standing: Art;
  added: Art;
}

const canvas = (children: ReactNode) => art(<Drawing viewBox="-96 -132 192 190">{children}</Drawing>);

function weekScene(week: Week): WeekScene {
  const hue = (added: number, colour: Hue): Hue => (week === 4 || week === added ? colour : 'paper');
  const parts: Record<Week, ReactNode> = {
    1: <Brick hue={hue(1, 'blue')} at={[-2, -2, 0]} size={[2, 2, 1.2]} />,
    2: (
      <>
        <Brick hue={hue(2, 'sun')} at={[0, -2, 0]} size={[2, 2, 1.2]} />
        <Brick hue={hue(2, 'signal')} at={[-2, -2, 1.2]} size={[2, 2, 1.2]} />
        <Brick hue={hue(2, 'blue')} at={[-2, 0, 0]} size={[2, 2, 0.6]} />
      </>
    ),
    3: (
      <>
        <Brick hue={hue(3, 'signal')} at={[0, 0, 0]} size={[2, 2, 0.6]} />
        <Brick hue={hue(3, 'sun')} at={[-2, 0, 0.6]} size={[2, 1, 0.6]} />
      </>
    ),
    4: (
      <>
        <AssemblyLine from={[-2, 0, 2.4]} to={3.6} />
        <AssemblyLine from={[0, 0, 2.4]} to={3.6} />
        <AssemblyLine from={[0, -2, 2.4]} to={3.6} />
        <Brick hue="paper" studs={false} at={[-2, -2, 3.6]} size={[2, 2, 0.3]} />
        <OnFace face="top" at={[-2, -2, 3.9]}>
          <path d="M0 8h40" />
          <path d="M6 16h14M6 22h10" strokeWidth="3" />
          <path className="hue-signal" d="M24 14h11v18H24z" fill="var(--face-left)" />
        </OnFace>
      </>
    ),
  };
  return {
    standing: canvas(
      <>
        <Brick
          hue={week === 1 || week === 4 ? 'ink' : 'paper'}
          at={[-2, -2, -0.3]}
          size={[4, 4, 0.3]}
          studs={week === 1}
        />
        {week > 1 && parts[1]}
        {week > 2 && parts[2]}
        {week > 3 && parts[3]}
      </>,
    ),
    added: canvas(parts[week]),
  };
}

/**
 * The product at the end of each of four weeks. As in a manual, new parts are colored and existing ones are plain. The
 * last drawing is colored throughout.
 */
export const weekScenes = { 1: weekScene(1), 2: weekScene(2), 3: weekScene(3), 4: weekScene(4) };
