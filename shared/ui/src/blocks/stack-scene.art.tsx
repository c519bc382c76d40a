import { art } from '../art.tsx';
import { Leader } from './leader.tsx';
import { AssemblyLine, Brick, Cylinder, Drawing, OnFace } from './primitives.tsx';

export const stackScene = art(
  <Drawing
    viewBox="-110 -206 340 296"

    title="Three layers: your frontend, managed blocks behind REST APIs, and infrastructure with telemetry and DevOps included."
  >
    <Brick hue="ink" studs={false} at={[-3, -3, -0.9]} size={[6, 6, 0.9]} />
    <OnFace face="left" at={[-3, 3, 0]}>
      {[0, 1, 2, 3].map((unit) => (
        <g key={unit} transform={`translate(${8 + unit * 28} 5)`} strokeWidth="1" stroke="var(--paper)">
          <path d="M0 0h20v8H0z" />
          <path d="M3 4h8" />
        </g>
      ))}
    </OnFace>
    {[
      [-2, -2],
      [2, -2],
      [-2, 2],
      [2, 2],
    ].map(([x = 0, y = 0]) => (
      <Cylinder key={`${x} ${y}`} hue="paper" at={[x, y, 0]} radius={0.35} height={0.3} />
    ))}
    <AssemblyLine from={[-3, 3, 0]} to={2.6} />
    <AssemblyLine from={[3, 3, 0]} to={2.6} />
    <AssemblyLine from={[3, -3, 0]} to={2.6} />
    <Brick hue="blue" at={[-3, -3, 2.6]} size={[6, 6, 0.4]} />
    <Brick hue="sun" at={[-3, -3, 3]} size={[2, 2, 0.8]} />
    <Brick hue="signal" at={[-1, -3, 3]} size={[4, 2, 0.8]} />
    <Brick hue="paper" at={[-3, -1, 3]} size={[2, 4, 0.8]} />
    <Brick hue="sun" at={[1, 1, 3]} size={[2, 2, 0.8]} />
    <AssemblyLine from={[-3, 3, 3.8]} to={6.6} />
    <AssemblyLine from={[3, 3, 3.8]} to={6.6} />
    <AssemblyLine from={[3, -3, 3.8]} to={6.6} />
    <Brick hue="paper" studs={false} at={[-3, -3, 6.6]} size={[6, 6, 0.35]} />
    <OnFace face="top" at={[-3, -3, 6.95]}>
      <path d="M0 18h120" />
      <path d="M14 38h50M14 52h36" strokeWidth="7" />
      <path className="hue-signal" d="M14 76h38v18H14z" fill="var(--face-left)" />
      <path className="hue-blue" d="M76 34h30v60H76z" fill="var(--face-top)" />
    </OnFace>
    <Leader at={[3, 0, 6.8]} to={[122, -116]} label="Frontend" note="yours" />
    <Leader at={[3, 0, 2.8]} to={[122, -36]} label="Blocks" note="REST APIs" />
    <Leader at={[3, 0, -0.4]} to={[122, 30]} label="Infrastructure" note="telemetry, DevOps" />
  </Drawing>,
);
