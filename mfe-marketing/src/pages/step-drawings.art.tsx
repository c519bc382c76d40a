import { art, type Art } from '@site/ui/art';
import { onFace } from '@site/ui/blocks/iso';
import { Label } from '@site/ui/blocks/label';
import { Brick, Drawing } from '@site/ui/blocks/primitives';
import { GlyphAt, PlacedBlock, Plate, plateSide, Verticals } from './block-plate.tsx';
import { FrontendTile } from './frontend-tile.tsx';
import type { StepName } from './start-steps.data.ts';

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

const picks = [
  { name: 'content', at: [-0.4, -0.4, 1] },
  { name: 'search', at: [3.6, -0.4, 1] },
  { name: 'forms', at: [-0.4, 3.6, 1] },
  { name: 'auth', at: [3.6, 3.6, 1] },
] as const;

export const stepDrawings: Record<StepName, Art> = {
  app: art(
    <Drawing viewBox="-112 -116 224 248">
      <Plate at={[0, 0, 0]} columns={2} rows={2} />
      <Brick hue="sun" at={[1, 2.2, 0.6]} size={[3.6, 0.5, 1.9]} studs={false} />
      <Label x={36} y={25} text="your app" anchor="middle" transform={onFace('left', [1, 2.7, 2.5])} />
    </Drawing>,
  ),
  choose: art(
    <Drawing viewBox="-112 -116 224 248">
      {picks.map(({ name, at }) => (
        <GlyphAt key={name} name={name} at={at} />
      ))}
    </Drawing>,
  ),
  build: art(
    <Drawing viewBox="-112 -116 224 248">
      {plate}
      <PlacedBlock name="content" column={0} row={0} lift={2.2} />
      <PlacedBlock name="search" column={1} row={0} />
      <PlacedBlock name="forms" column={0} row={1} />
      <PlacedBlock name="auth" column={1} row={1} />
    </Drawing>,
  ),
  integrate: art(
    <Drawing viewBox="-112 -116 224 248">
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
    </Drawing>,
  ),
};
