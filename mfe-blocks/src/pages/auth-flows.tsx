import { CodeSample } from '@site/ui/code-sample';
import { Section } from '@site/ui/section';
import { flows } from './auth-flows.data.ts';
import styles from './auth-flows.module.css';

export default function AuthFlows() {
  return (
    <Section
      title="Three flows, five calls"
      id="flows"
      tone="blueprint"
      lead="You build the screens; the block does what is behind them. The calls below are examples of use and do not run on this site: addresses and fields of your own app can differ."
    >
      <ol className={styles.flows}>
        {flows.map(({ title, text, sample }) => (
          <li key={title} className={styles.flow}>
            <div className={styles.story}>
              <h3>{title}</h3>
              {text.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
            <CodeSample {...sample} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
