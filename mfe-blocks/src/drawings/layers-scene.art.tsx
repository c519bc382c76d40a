import { art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, Drawing, OnFace, type Hue } from '@site/ui/blocks/primitives';
import { benefits } from '../pages/block-layers.data.ts';

const GAP = 2.1;

const hues: readonly Hue[] = ['sun', 'paper', 'blue', 'ink'];
const layers = benefits.map(({ title }) => title);
const bottomUp = layers
  .map((label, index) => ({ label, hue: hues[index] ?? 'paper', number: index + 1 }))
  .reverse();
const top = layers.length * GAP;

/** The print on the front of each layer: gauge, pulse, arrows, racks. */
const marks = [
  'M6 9h14M24 9h8M36 9h6M46 9h18',
  'M6 8h16l4-5 6 8 4-3h30',
  'M8 7h22m-5-4 5 4-5 4M44 7h22m-5-4 5 4-5 4',
  'M6 3h12v8H6zM24 3h12v8H24zM42 3h12v8H42zM60 3h12v8H60z',
];

export const layersScene = art(
  <Drawing
    viewBox="-84 -236 320 298"
    title={`Drawing: one block pulled apart. On top its API, below it the layers ${layers.join(', ')}.`}
  >
    {bottomUp.map(({ label, hue, number }, index) => (
      <g key={label}>
        <Brick hue={hue} studs={false} at={[-2, -2, index * GAP]} size={[4, 4, 0.7]} />
        <OnFace face="left" at={[-2, 2, index * GAP + 0.7]}>
          <path d={marks[number - 1]} strokeWidth="1.6" />
        </OnFace>
        <Corners from={index * GAP + 0.7} to={(index + 1) * GAP} />
      </g>
    ))}
    <Brick hue="signal" at={[-2, -2, top]} size={[4, 4, 1.4]} />
    <OnFace face="left" at={[-2, 2, top + 1.4]}>
      <path d="M14 8 6 14l8 6M26 8l8 6-8 6M22 6l-4 16" strokeWidth="2" />
    </OnFace>
    <Leader
      at={[2, 0, top + 0.7]}
      to={[84, -10 - (top + 0.7) * 20]}
      label="Your API"
      note="business logic included"
    />
    {bottomUp.map(({ label, number }, index) => (
      <Leader
        key={label}
        at={[2, 0, index * GAP + 0.35]}
        to={[84, -10 - (index * GAP + 0.35) * 20 + 20]}
        label={label}
        note={`layer ${number}`}
      />
    ))}
  </Drawing>,
);

function Corners({ from, to }: { from: number; to: number }) {
  return (
    <>
      <AssemblyLine from={[-2, 2, from]} to={to} />
      <AssemblyLine from={[2, 2, from]} to={to} />
      <AssemblyLine from={[2, -2, from]} to={to} />
    </>
  );
}
