import { Brick, Drawing, OnFace } from '@site/ui/blocks/primitives';
import { GlyphAt, PlacedBlock, Plate, plateSide, Verticals } from './block-plate.tsx';
import { FrontendTile } from './frontend-tile.tsx';
import type { StepDrawingName } from './start-steps.data.ts';

/** The drawing of one of the four steps: an empty plate grows into a product. */
export function StepDrawing({ name }: { name: StepDrawingName }) {
  return <Drawing viewBox="-112 -116 224 248">{drawings[name]()}</Drawing>;
}

const SIDE = plateSide(2);
const plate = <Plate at={[0, 0, 0]} columns={2} rows={2} />;
const standing = (
  <>
    {plate}
    <PlacedBlock name="content" column={0} row={0} />
    <PlacedBlock name="search" column={1} row={0} />
    <PlacedBlock name="forms" column={0} row={1} />
  </>
);

const drawings: Record<StepDrawingName, () => React.ReactNode> = {
  app: () => (
    <>
      <Plate at={[0, 0, 0]} columns={2} rows={2} />
      <Brick hue="sun" at={[1, 2.2, 0.6]} size={[3.6, 0.5, 1.9]} studs={false} />
      <OnFace face="left" at={[1, 2.7, 2.5]}>
        <text x="36" y="25" textAnchor="middle">
          your app
        </text>
      </OnFace>
    </>
  ),
  choose: () => (
    <>
      {picks.map(({ name, at }) => (
        <GlyphAt key={name} name={name} at={at} />
      ))}
    </>
  ),
  build: () => (
    <>
      {plate}
      <PlacedBlock name="content" column={0} row={0} lift={2.2} />
      <PlacedBlock name="search" column={1} row={0} />
      <PlacedBlock name="forms" column={0} row={1} />
      <PlacedBlock name="auth" column={1} row={1} />
    </>
  ),
  integrate: () => (
    <>
      {standing}
      <PlacedBlock name="auth" column={1} row={1} />
      <Verticals
        corners={[
          [SIDE, 0],
          [0, SIDE],
        ]}
        from={0.4}
        to={5}
      />
      <FrontendTile at={[0, 0, 5]} side={SIDE} />
    </>
  ),
};

const picks = [
  { name: 'content', at: [-0.4, -0.4, 1] },
  { name: 'search', at: [3.6, -0.4, 1] },
  { name: 'forms', at: [-0.4, 3.6, 1] },
  { name: 'auth', at: [3.6, 3.6, 1] },
] as const;
