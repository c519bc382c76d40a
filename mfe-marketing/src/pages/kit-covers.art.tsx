import { art, type Art } from '@site/ui/art';
import { Drawing } from '@site/ui/blocks/primitives';
import { PlacedBlock, Plate } from './block-plate.tsx';

export type KitName = 'indie' | 'startups' | 'agencies';

const agencyPlates = [
  { at: [-2, -5.2, 0], hue: 'signal', blocks: ['companies', 'forms'] },
  { at: [-2, -1.4, 0], hue: 'sun', blocks: ['university', 'file-management'] },
  { at: [-2, 2.4, 0], hue: 'blue', blocks: ['geolocation', 'sales'] },
] as const;

export const kitCovers: Record<KitName, Art> = {
  indie: art(
    <Drawing viewBox="-134 -114 268 206">
      <Plate at={[-2.2, -2.2, 0]} columns={2} rows={2} />
      <PlacedBlock plate={[-2.2, -2.2, 0]} name="content" column={0} row={0} />
      <PlacedBlock plate={[-2.2, -2.2, 0]} name="search" column={1} row={0} />
      <PlacedBlock plate={[-2.2, -2.2, 0]} name="auth" column={0} row={1} />
    </Drawing>,
  ),
  startups: art(
    <Drawing viewBox="-150 -128 300 232">
      <Plate at={[-3.6, -2.2, 0]} columns={3} rows={2} hue="signal" />
      <PlacedBlock plate={[-3.6, -2.2, 0]} name="journey" column={0} row={0} />
      <PlacedBlock plate={[-3.6, -2.2, 0]} name="products" column={1} row={0} />
      <PlacedBlock plate={[-3.6, -2.2, 0]} name="real-time" column={2} row={0} lift={1.4} />
      <PlacedBlock plate={[-3.6, -2.2, 0]} name="rewards" column={0} row={1} />
      <PlacedBlock plate={[-3.6, -2.2, 0]} name="onboarding" column={1} row={1} />
    </Drawing>,
  ),
  agencies: art(
    <Drawing viewBox="-135 -138 302 240">
      {agencyPlates.map(({ at, hue, blocks }) => (
        <g key={hue}>
          <Plate at={at} columns={2} rows={1} hue={hue} />
          <PlacedBlock plate={at} name={blocks[0]} column={0} row={0} />
          <PlacedBlock plate={at} name={blocks[1]} column={1} row={0} />
        </g>
      ))}
    </Drawing>,
  ),
};
