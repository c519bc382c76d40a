import { brand, Link } from '@site/kit';
import { Brick, Drawing } from '@site/ui/blocks/primitives';
import styles from './logo.module.css';

/** The brand's mark and name; leads home. */
export function Logo({ onClick }: { onClick?: () => void }) {
  return (
    <Link to="/home" className={styles.logo} onClick={onClick}>
      <Drawing viewBox="-20 -28 40 50" className={styles.mark}>
        <Brick hue="signal" at={[0, 0, 0]} size={[1, 1, 0.9]} />
      </Drawing>
      {brand.name}
    </Link>
  );
}
