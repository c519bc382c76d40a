import { Leader } from './leader.tsx';
import { AssemblyLine, Brick, Drawing, OnFace } from './primitives.tsx';

/** The exploded assembly: five blocks snap onto managed infrastructure, your frontend goes on top. */
export function HeroScene({ className }: { className?: string }) {
  return (
    <Drawing
      viewBox="-210 -268 420 416"
      className={className}
      title="Exploded drawing: the blocks Auth, Forms, Search and Real Time snap onto managed infrastructure, and your frontend goes on top."
    >
      <Brick hue="blue" at={[-3, -3, -0.4]} size={[6, 6, 0.4]} />
      <Brick hue="paper" at={[-3, -3, 0]} size={[2, 4, 1.2]} />
      <Brick hue="ink" at={[-1, -3, 0]} size={[4, 2, 1.2]} />
      <AssemblyLine points={[[-1, 1, 0], [-1, 1, 3.2]]} />
      <AssemblyLine points={[[1, 1, 0], [1, 1, 3.2]]} />
      <AssemblyLine points={[[3, 1, 0], [3, 1, 2]]} />
      <Brick hue="signal" at={[-1, -1, 3.2]} size={[2, 2, 1.2]} />
      <Brick hue="sun" at={[1, -1, 2]} size={[2, 2, 1.2]} />
      <AssemblyLine points={[[-2, 2, 1.2], [-2, 2, 8]]} />
      <AssemblyLine points={[[2, 2, 0], [2, 2, 8]]} />
      <AssemblyLine points={[[2, -2, 1.2], [2, -2, 8]]} />
      <Brick hue="paper" studs={false} at={[-2, -2, 8]} size={[4, 4, 0.35]} />
      <OnFace face="top" at={[-2, -2, 8.35]}>
        <path d="M0 14h80" />
        <g className="hue-signal">
          <circle cx="8" cy="7" r="2.6" fill="var(--face-left)" strokeWidth="1" />
          <circle cx="17" cy="7" r="2.6" className="hue-sun" fill="var(--face-left)" strokeWidth="1" />
          <path d="M10 56h26v12H10z" fill="var(--face-left)" />
        </g>
        <path d="M10 28h34M10 38h24" strokeWidth="5" />
        <path className="hue-blue" d="M52 26h20v42H52z" fill="var(--face-top)" />
      </OnFace>
      <Leader at={[-2, 0, 8.2]} to={[-118, -196]} label="Your frontend" />
      <Leader at={[-1, 0, 3.8]} to={[-118, -110]} count={1} label="Auth" />
      <Leader at={[3, 0, 2.6]} to={[122, -46]} count={1} label="Forms" />
      <Leader at={[-3, 0, 0.6]} to={[-128, -20]} count={1} label="Search" />
      <Leader at={[3, -2, 0.6]} to={[126, 8]} count={1} label="Content" />
      <Leader at={[3, 1.5, -0.2]} to={[118, 62]} label="Managed" note="infrastructure" />
    </Drawing>
  );
}
