import { art } from '@site/ui/art';
import { Leader } from '@site/ui/blocks/leader';
import { AssemblyLine, Brick, Drawing, OnFace } from '@site/ui/blocks/primitives';

export const authScene = art(
  <Drawing
    viewBox="-176 -226 372 338"
    title="Exploded drawing: registration, login and password recovery stand on your app, and one lock goes over them."
  >
    <Brick hue="ink" at={[-3, -3, -0.4]} size={[6, 6, 0.4]} />
    <Brick hue="blue" at={[-2, -2, 0]} size={[4, 2, 1.2]} />
    <Brick hue="sun" at={[-2, 0, 0]} size={[2, 2, 1.2]} />
    <Brick hue="paper" at={[0, 0, 0]} size={[2, 2, 1.2]} />
    <AssemblyLine from={[-2, 2, 1.2]} to={5} />
    <AssemblyLine from={[2, 2, 1.2]} to={5} />
    <AssemblyLine from={[2, -2, 1.2]} to={5} />
    <Brick hue="signal" studs={false} at={[-2, -2, 5]} size={[4, 4, 2]} />
    <g className="hue-paper" fill="none">
      <OnFace face="left" at={[-1.35, 0.2, 7]}>
        <path d="M8 1v-26a19 19 0 0 1 38 0v26" strokeWidth="14" strokeLinecap="butt" />
        <path
          d="M8 1v-26a19 19 0 0 1 38 0v26"
          strokeWidth="11"
          stroke="var(--face-top)"
          strokeLinecap="butt"
        />
      </OnFace>
    </g>
    <OnFace face="left" at={[-2, 2, 7]}>
      <path
        d="M40 10a7 7 0 0 1 3.4 13.1l2 10.4H34.6l2-10.4A7 7 0 0 1 40 10z"
        fill="var(--draw)"
        strokeWidth="1"
      />
    </OnFace>
    <Leader at={[2, -0.6, 6]} to={[112, -134]} count={1} label="Auth" />
    <Leader at={[2, -1.4, 0.7]} to={[98, -30]} label="Registration" />
    <Leader at={[-1.4, 2, 0.6]} to={[-112, -18]} label="Login" />
    <Leader at={[2, 1.2, 0.5]} to={[98, 40]} label="Recovery" note="of passwords" />
    <Leader at={[-2, 3, -0.2]} to={[-112, 62]} label="Your app" />
  </Drawing>,
);
