import type { ReactNode } from 'react';
import { art } from '@site/ui/art';
import { onFace } from '@site/ui/blocks/iso';
import { Label } from '@site/ui/blocks/label';
import { Leader } from '@site/ui/blocks/leader';
import { Drawing } from '@site/ui/blocks/primitives';
import { PlacedBlock, Plate, plateSide, Verticals } from './block-plate.tsx';
import { FrontendTile } from './frontend-tile.tsx';

const SIDE = plateSide(3);
const corners = [
  [SIDE, 0],
  [0, SIDE],
] as const;

/** All layers share one view box because they overlap. */
const layer = (parts: ReactNode) => art(<Drawing viewBox="-160 -232 464 528">{parts}</Drawing>);

export const homeHeroLayers = {
  foundation: layer(
    <>
      <Plate hue="ink" at={[0, 0, -5]} columns={3} rows={3} height={1} />
      <Label x={10} y={14} text="DEVOPS · TELEMETRY" kind="print" transform={onFace('left', [0, SIDE, -4])} />
      <Label
        x={10}
        y={14}
        text="INSTRUMENTATION"
        kind="print"
        transform={onFace('right', [SIDE, SIDE, -4])}
      />
      <Leader at={[SIDE, 0.4, -4.5]} to={[181, 190]} label="Infrastructure" note="managed for you" />
    </>,
  ),
  lowerLines: layer(<Verticals corners={[...corners, [SIDE, SIDE]]} from={-4} to={0} />),
  standing: layer(
    <>
      <Plate at={[0, 0, 0]} columns={3} rows={3} />
      <PlacedBlock name="companies" column={0} row={0} />
      <PlacedBlock name="sales" column={1} row={0} />
      <PlacedBlock name="content" column={0} row={1} />
      <PlacedBlock name="search" column={2} row={0} lift={2.4} only="lines" />
      <PlacedBlock name="rewards" column={1} row={1} />
      <PlacedBlock name="file-management" column={0} row={2} lift={1.8} only="lines" />
    </>,
  ),
  lifted: layer(
    <>
      <PlacedBlock name="search" column={2} row={0} lift={2.4} only="block" />
      <PlacedBlock name="file-management" column={0} row={2} lift={1.8} only="block" />
      <Leader at={[8.3, 1, 3]} to={[181, -8]} count={1} label="Search" />
    </>,
  ),
  front: layer(
    <>
      <PlacedBlock name="real-time" column={2} row={1} />
      <PlacedBlock name="forms" column={1} row={2} />
      <PlacedBlock name="auth" column={2} row={2} />
    </>,
  ),
  upperLines: layer(
    <>
      <Leader at={[8.4, 4.4, 0.8]} to={[181, 106]} count={1} label="Real Time" />
      <Leader at={[8.4, 7.6, 1]} to={[181, 148]} count={1} label="Auth" />
      <Verticals corners={corners} from={0.4} to={9.4} />
    </>,
  ),
  frontend: layer(
    <>
      <FrontendTile at={[0, 0, 9.4]} side={SIDE} />
      <Leader at={[SIDE, 0.4, 9.6]} to={[181, -140]} label="Your frontend" note="any framework" />
    </>,
  ),
};
