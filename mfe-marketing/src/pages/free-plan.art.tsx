import { art } from '@site/ui/art';
import { Drawing } from '@site/ui/blocks/primitives';
import { PlacedBlock, Plate } from './block-plate.tsx';

export const freePlan = art(
  <Drawing viewBox="-112 -104 224 236">
    <Plate at={[0, 0, 0]} columns={2} rows={2} hue="paper" />
    <PlacedBlock name="auth" column={0} row={0} lift={1.8} />
  </Drawing>,
);
