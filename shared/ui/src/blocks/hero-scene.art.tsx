import { art } from '../art.tsx';
import { Leader } from './leader.tsx';
import { AssemblyLine, Brick, Drawing, OnFace } from './primitives.tsx';

export const heroScene = art(
  <Drawing
    viewBox="-206 -308 404 420"

    title="Exploded drawing: the blocks Auth, Forms, Search, Content and Real Time snap onto managed infrastructure, and your frontend goes on top."
  >
    <Brick hue="blue" at={[-3, -3, -0.4]} size={[6, 6, 0.4]} />
    <Brick hue="paper" at={[-3, -3, 0]} size={[2, 4, 1.2]} />
    <Brick hue="ink" at={[-1, -3, 0]} size={[4, 2, 1.2]} />
    <AssemblyLine from={[-1, -1, 1.4]} to={9} />
    <AssemblyLine from={[-1, 1, 0]} to={5.8} />
    <AssemblyLine from={[1, 1, 0]} to={5.8} />
    <AssemblyLine from={[1, -1, 1.4]} to={5.8} />
    <Brick hue="signal" at={[-1, -1, 5.6]} size={[2, 2, 1.2]} />
    <AssemblyLine from={[3, -1, 1.2]} to={3.4} />
    <AssemblyLine from={[3, 1, 0]} to={3.4} />
    <Brick hue="sun" at={[1, -1, 3.4]} size={[2, 2, 1.2]} />
    <AssemblyLine from={[-1, 3, 0]} to={1.6} />
    <AssemblyLine from={[1, 3, 0]} to={1.6} />
    <Brick hue="blue" at={[-1, 1, 1.4]} size={[2, 2, 0.6]} />
    <AssemblyLine from={[-2.5, 2.5, 0]} to={10.4} />
    <AssemblyLine from={[2.5, -2.5, 1.2]} to={10.4} />
    <Brick hue="paper" studs={false} at={[-2.5, -2.5, 10.4]} size={[5, 5, 0.4]} />
    <FrontendPrint />
    <Leader at={[-2.5, 1, 10.6]} to={[-104, -258]} label="Your frontend" />
    <Leader at={[-1, 0.2, 6.2]} to={[-96, -158]} count={1} label="Auth" />
    <Leader at={[3, 0, 4]} to={[104, -86]} count={1} label="Forms" />
    <Leader at={[-1, 2.4, 1.7]} to={[-104, 22]} count={1} label="Real Time" />
    <Leader at={[-2.6, 1, 0.7]} to={[-112, -52]} count={1} label="Search" />
    <Leader at={[3, -2, 0.6]} to={[116, -22]} count={1} label="Content" />
    <Leader at={[3, 1.4, -0.2]} to={[84, 70]} label="Infrastructure" note="managed for you" />
  </Drawing>,
);

function FrontendPrint() {
  return (
    <OnFace face="top" at={[-2.5, -2.5, 10.8]}>
      <path d="M0 16h100" />
      <g strokeWidth="1">
        <circle className="hue-signal" cx="9" cy="8" r="3" fill="var(--face-left)" />
        <circle className="hue-sun" cx="19" cy="8" r="3" fill="var(--face-left)" />
      </g>
      <path d="M12 34h42M12 46h30" strokeWidth="6" />
      <path className="hue-signal" d="M12 68h32v15H12z" fill="var(--face-left)" />
      <path className="hue-blue" d="M64 30h26v53H64z" fill="var(--face-top)" />
    </OnFace>
  );
}
