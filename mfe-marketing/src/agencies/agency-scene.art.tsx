import { art } from '@site/ui/art';
import { AssemblyLine, Brick, Drawing, OnFace } from '@site/ui/blocks/primitives';
import { Leader } from '@site/ui/blocks/leader';

export const agencyScene = art(
  <Drawing
    viewBox="-180 -92 378 226"
    title="Three client projects stand on the same blue brick, Auth. Each has other bricks above it and its own frontend on top."
  >
    <Brick hue="ink" studs={false} at={[-1, -1, -0.3]} size={[4, 10, 0.3]} />
    <Project y={-0.5} middle="sun" lifted={0} />
    <Project y={2.9} middle="signal" lifted={0} />
    <Project y={6.2} middle="paper" lifted={2.6} />
    <Leader at={[2, 0.6, 0.6]} to={[98, 34]} count={3} label="Auth" note="built once, by us" />
  </Drawing>,
);

function Project({ y, middle, lifted }: { y: number; middle: 'sun' | 'signal' | 'paper'; lifted: number }) {
  const roof = 2.4 + lifted;
  return (
    <>
      <Brick hue="blue" at={[0, y, 0]} size={[2, 2, 1.2]} />
      <Brick hue={middle} at={[0, y, 1.2]} size={[2, 2, 1.2]} />
      {lifted > 0 && (
        <>
          <AssemblyLine from={[0, y + 2, 2.4]} to={roof} />
          <AssemblyLine from={[2, y + 2, 2.4]} to={roof} />
          <AssemblyLine from={[2, y, 2.4]} to={roof} />
        </>
      )}
      <Brick hue="paper" studs={false} at={[0, y, roof]} size={[2, 2, 0.3]} />
      <OnFace face="top" at={[0, y, roof + 0.3]}>
        <path d="M0 8h40" />
        <path d="M6 16h14M6 22h10" strokeWidth="3" />
        <path className={`hue-${middle}`} d="M24 14h11v18H24z" fill="var(--face-left)" />
      </OnFace>
    </>
  );
}
