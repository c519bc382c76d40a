import { Leader } from '@site/ui/blocks/leader';
import { Drawing, OnFace } from '@site/ui/blocks/primitives';
import { PlacedBlock, Plate, plateSide, Verticals } from './block-plate.tsx';
import { FrontendTile } from './frontend-tile.tsx';
import styles from './home-hero-scene.module.css';

const SIDE = plateSide(3);
const corners = [
  [SIDE, 0],
  [0, SIDE],
] as const;

/**
 * The product on one drawing: managed infrastructure below, blocks on it, any frontend on top. Where the browser can do
 * it, the parts come together while the page is scrolled.
 */
export function HomeHeroScene() {
  return (
    <Drawing
      className={styles.scene}
      viewBox="-160 -232 464 528"
      title="Exploded drawing: managed infrastructure at the bottom, nine blocks on a plate above it, your frontend on top."
    >
      <g className={styles.foundation}>
        <Plate hue="ink" at={[0, 0, -5]} columns={3} rows={3} height={1} />
        <OnFace face="left" at={[0, SIDE, -4]}>
          <text x="10" y="14" className={styles.print}>
            DEVOPS · TELEMETRY
          </text>
        </OnFace>
        <OnFace face="right" at={[SIDE, SIDE, -4]}>
          <text x="10" y="14" className={styles.print}>
            INSTRUMENTATION
          </text>
        </OnFace>
        <Leader at={[SIDE, 0.4, -4.5]} to={[196, 190]} label="Infrastructure" note="managed for you" />
      </g>
      <Verticals corners={[...corners, [SIDE, SIDE]]} from={-4} to={0} className={styles.lines} />
      <Plate at={[0, 0, 0]} columns={3} rows={3} />
      <PlacedBlock name="companies" column={0} row={0} />
      <PlacedBlock name="sales" column={1} row={0} />
      <PlacedBlock name="content" column={0} row={1} />
      <PlacedBlock name="search" column={2} row={0} lift={2.4} className={styles.lifted} />
      <PlacedBlock name="rewards" column={1} row={1} />
      <PlacedBlock name="file-management" column={0} row={2} lift={1.8} className={styles.lifted} />
      <PlacedBlock name="real-time" column={2} row={1} />
      <PlacedBlock name="forms" column={1} row={2} />
      <PlacedBlock name="auth" column={2} row={2} />
      <g className={styles.lifted}>
        <Leader at={[8.3, 1, 3]} to={[196, -8]} count={1} label="Search" />
      </g>
      <g className={styles.lines}>
        <Leader at={[8.4, 4.4, 0.8]} to={[196, 106]} count={1} label="Real Time" />
        <Leader at={[8.4, 7.6, 1]} to={[196, 148]} count={1} label="Auth" />
      </g>
      <Verticals corners={corners} from={0.4} to={9.4} className={styles.lines} />
      <g className={styles.frontend}>
        <FrontendTile at={[0, 0, 9.4]} side={SIDE} />
        <Leader at={[SIDE, 0.4, 9.6]} to={[196, -140]} label="Your frontend" note="any framework" />
      </g>
    </Drawing>
  );
}
