import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { featureDrawings } from './about-drawings.art.tsx';
import { features } from './about-features.data.ts';
import styles from './about-page.module.css';

export default function AboutFeatures() {
  return (
    <Section id="features" title="Main features" lead="Four promises that every block keeps.">
      <ul className={styles.features}>
        {features.map(({ drawing, name, text }) => (
          <li key={name} className={styles.feature}>
            <Picture art={featureDrawings[drawing]} />
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
