import { useVariant } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { PartsList } from '@site/ui/parts-list';
import { HomeHeroScene } from './home-hero-scene.tsx';
import { campaignLink, drawn, headlines, type HeadlineVariant } from './home-page.data.ts';
import styles from './home-hero.module.css';

export function HomeHero() {
  const variant = useVariant('headline') as HeadlineVariant;
  const { lines, lead, actions } = headlines[variant];
  return (
    <div className="wrap">
      <div className={styles.hero}>
        <div className={styles.poster}>
          <h1 className={styles.title}>
            <span>{lines[0]}</span> <span>{lines[1]}</span>
          </h1>
          <div className={styles.text}>
            <p className={`lead ${styles.lead}`}>{lead}</p>
            <div className={styles.actions}>
              {actions.map(({ text, path }, index) => (
                <ButtonLink
                  key={path}
                  to={campaignLink(path, variant)}
                  data-outcome="mainButton"
                  variant={index === 0 ? 'primary' : 'secondary'}
                >
                  {text}
                </ButtonLink>
              ))}
            </div>
            <p className={styles.note}>First month free in a stage environment. No credit card.</p>
            <div className={styles.parts}>
              <PartsList title="In this drawing" parts={drawn} />
            </div>
          </div>
          <div className={styles.figure}>
            <HomeHeroScene />
          </div>
        </div>
      </div>
    </div>
  );
}
