import { art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, Cylinder, Drawing, OnFace } from '@site/ui/blocks/primitives';

function Letter({ z }: { z: number }) {
  return (
    <>
      <Brick hue="sun" studs={false} at={[-4, -1, z]} size={[8, 2, 0.8]} />
      <OnFace face="left" at={[-4, 1, z + 0.8]}>
        <path d="M66 3h28v10H66zl14 6 14-6" strokeWidth="1.2" />
      </OnFace>
    </>
  );
}

function You() {
  return (
    <>
      <Brick hue="signal" at={[-4, -1, 0]} size={[2, 2, 1.2]} />
      <Brick hue="paper" at={[-4, -1, 1.2]} size={[2, 2, 1.2]} />
    </>
  );
}

function They() {
  return (
    <>
      <Brick hue="paper" at={[2, -1, 0]} size={[2, 2, 1.2]} />
      <Brick hue="blue" at={[2, -1, 1.2]} size={[2, 2, 1.2]} />
    </>
  );
}

const ground = <Brick hue="ink" at={[-5, -2, -0.4]} size={[10, 4, 0.4]} />;

export const bridgeScene = art(
  <Drawing
    viewBox="-190 -196 380 296"
    title="Drawing: an invitation, a long brick, is lowered onto two towers and joins you and the team you refer."
  >
    {ground}
    <You />
    <They />
    <AssemblyLine from={[-4, 1, 2.4]} to={5.2} />
    <AssemblyLine from={[-2, 1, 2.4]} to={5.2} />
    <AssemblyLine from={[2, 1, 2.4]} to={5.2} />
    <AssemblyLine from={[4, 1, 2.4]} to={5.2} />
    <AssemblyLine from={[4, -1, 2.4]} to={5.2} />
    <Letter z={5.2} />
    <Leader at={[-4, 0.6, 1.6]} to={[-128, -6]} label="You" />
    <Leader at={[4, -0.4, 1.8]} to={[118, -30]} label="Their team" />
    <Leader at={[2.6, -1, 6]} to={[104, -132]} count={1} label="Invitation" />
  </Drawing>,
);

const bridgeStep = (step: 1 | 2 | 3 | 4) =>
  art(
    <Drawing viewBox="-130 -146 260 230">
      {ground}
      <You />
      {step > 1 && <They />}
      {step === 1 && <path className="hue-sun" d="M41-38h18v24h13L50 12 28-14h13z" fill="var(--face-left)" />}
      {step === 2 && (
        <>
          <AssemblyLine from={[-4, 1, 2.4]} to={3.6} />
          <AssemblyLine from={[4, 1, 2.4]} to={3.6} />
          <AssemblyLine from={[4, -1, 2.4]} to={3.6} />
        </>
      )}
      {step > 1 && <Letter z={step === 2 ? 3.6 : 2.4} />}
      {step === 4 &&
        [3.2, 3.5, 3.8].map((z) => (
          <g key={z} className="hue-signal">
            <Cylinder at={[-3, 0, z]} radius={0.75} height={0.3} />
          </g>
        ))}
    </Drawing>,
  );

export const bridgeSteps = { 1: bridgeStep(1), 2: bridgeStep(2), 3: bridgeStep(3), 4: bridgeStep(4) };
