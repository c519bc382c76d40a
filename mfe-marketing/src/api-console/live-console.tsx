import { Section } from '@site/ui/section';
import ApiConsole from './api-console.tsx';
import { siteFigures } from './site-figures.ts';
import styles from './live-console.module.css';

export default function LiveConsole() {
  return (
    <Section
      id="console"
      title="Call it from here"
      lead="These calls go to the gateway that runs this site. No account, nothing to install."
    >
      <ApiConsole />
      <div className={styles.proof}>
        <h3>This site runs on it</h3>
        <dl className={styles.figures}>
          {siteFigures.map(({ value, label, command }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className={styles.value}>{value}</dd>
              <dd>
                <code>{command}</code>
              </dd>
            </div>
          ))}
        </dl>
        <p className={styles.source}>
          Medians on one machine with two cores. Each command measures its figure again;{' '}
          <code>docs/benchmarks.md</code> has the conditions.
        </p>
      </div>
    </Section>
  );
}
