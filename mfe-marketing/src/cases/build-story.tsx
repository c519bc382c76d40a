import { useBrand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CodeSample } from '@site/ui/code-sample';
import { Icon } from '@site/ui/icon';
import { RecordsScreen } from '@site/ui/screens/records-screen';
import { BlockParts } from '../blocks/block-parts.tsx';
import type { Story } from '../pages/cases-page.data.ts';
import styles from './build-story.module.css';

export function BuildStory({ slug, title, label, text, result, instead, unit, blocks, steps, code }: Story) {
  const { documentation } = useBrand();
  const sum = sumHours(steps);
  return (
    <article className={styles.story}>
      <header className={styles.header}>
        <div className={styles.text}>
          <Badge tone="blue">{label}</Badge>
          <h3 className={styles.title}>
            {documentation ? (
              <>
                <a href={documentation + slug} rel="noopener">
                  {title}
                </a>
                <Icon name="external" className={styles.arrow} />
              </>
            ) : (
              title
            )}
          </h3>
          <p className={styles.lead}>{text}</p>
        </div>
        <div className={styles.result}>
          <p className={styles.figure}>{result}</p>
          <p>
            {sum} {unit} instead of {instead}
          </p>
          <BlockParts title={`Parts for: ${title}`} blocks={blocks} />
        </div>
      </header>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.title} className={styles.step}>
            <RecordsScreen {...step.screen} />
            <div className={styles.text}>
              <p className={styles.hours}>{step.hours} hours</p>
              <h4>{step.title}</h4>
              <p>{step.text}</p>
              <ul className={styles.calls}>
                {step.calls.map((call) => {
                  const [method, path] = call.split(' ');
                  return (
                    <li key={call}>
                      <code>
                        <b>{method}</b> {path}
                      </code>
                    </li>
                  );
                })}
              </ul>
            </div>
          </li>
        ))}
      </ol>
      <div className={styles.code}>
        <CodeSample {...code} />
        <HoursChart from={instead} steps={steps} />
      </div>
    </article>
  );
}

const sumHours = (steps: Story['steps']) => steps.reduce((all, { hours }) => all + hours, 0);

/** The hours without blocks, and those of each step with them. It repeats the text, so it is hidden. */
function HoursChart({ from, steps }: { from: number; steps: Story['steps'] }) {
  const parts = steps.map(({ hours }, index) => {
    const end = sumHours(steps.slice(0, index + 1));
    return { start: end - hours, end };
  });
  return (
    <div className={styles.chart} aria-hidden="true">
      <p>
        From scratch <b>{from} hours</b>
      </p>
      <Bar className={styles.scratch} of={from} parts={[{ start: 0, end: from }]} />
      <p>
        With blocks <b>{sumHours(steps)} hours</b>
      </p>
      <Bar of={from} parts={parts} />
    </div>
  );
}

function Bar({ of, parts, className }: BarProps) {
  return (
    <svg className={className} viewBox={`0 0 ${of} 10`} preserveAspectRatio="none">
      {parts.map(({ start, end }) => (
        <path key={start} d={`M${start} 0H${end}V10H${start}z`} />
      ))}
    </svg>
  );
}

interface BarProps {
  of: number;
  parts: readonly { start: number; end: number }[];
  className?: string | undefined;
}
