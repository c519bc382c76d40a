import { classes } from '@site/ui/classes';
import { Picture } from '@site/ui/picture';
import { homeHeroLayers } from './home-hero-layers.art.tsx';
import styles from './home-hero-scene.module.css';

const { foundation, lowerLines, standing, lifted, front, upperLines, frontend } = homeHeroLayers;

const layers = [
  [foundation, styles.foundation],
  [lowerLines, styles.lines],
  [standing],
  [lifted, styles.lifted],
  [front, styles.front],
  [upperLines, styles.lines],
  [frontend, styles.frontend],
] as const;

export function HomeHeroScene() {
  return (
    <div
      className={styles.scene}
      role="img"
      aria-label="Exploded drawing: managed infrastructure at the bottom, nine blocks on a plate above it, your frontend on top."
    >
      {layers.map(([art, moves]) => (
        <Picture key={art.src} first art={art} className={classes(styles.layer, moves)} />
      ))}
    </div>
  );
}
