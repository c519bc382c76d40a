import { ButtonLink } from '@site/ui/button';
import { Card } from '@site/ui/card';
import { Picture } from '@site/ui/picture';
import { layersScene } from '../drawings/layers-scene.art.tsx';
import { benefits } from './block-layers.data.ts';
import styles from './block-layers.module.css';

export default function BlockLayers() {
  return (
    <div className={styles.inside}>
      <Picture art={layersScene} />
      <div>
        <div className={styles.benefits}>
          {benefits.map(({ title, text }, index) => (
            <Card key={title} title={title} label={`Layer ${index + 1}`}>
              <p>{text}</p>
            </Card>
          ))}
        </div>
        <p className={styles.example}>
          <ButtonLink to="/blocks/auth" icon="arrow-right">
            Look inside the Auth Block
          </ButtonLink>
        </p>
      </div>
    </div>
  );
}
