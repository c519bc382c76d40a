import { useState } from 'react';
import { useSiteConfig } from '@site/kit';
import { integrationSteps } from './integration-steps.data.ts';
import { SampleTabs } from './sample-tabs.tsx';
import type { Language } from './samples.ts';
import { siteServices } from './site-services.ts';
import styles from './integration-steps.module.css';

export default function IntegrationSteps() {
  const services = siteServices(useSiteConfig());
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <ol className={styles.steps}>
      {integrationSteps.map(({ title, text, calls, sample, samples }, index) => (
        <li key={title} className={styles.step}>
          <span className={styles.number} aria-hidden="true">
            {index + 1}
          </span>
          <div className={styles.text}>
            <h3>{title}</h3>
            {text.map((paragraph) => (
              <p key={paragraph}>{withCode(paragraph)}</p>
            ))}
            {calls.length > 0 && (
              <ul className={styles.calls} aria-label={`Calls of step ${index + 1}`}>
                {calls.map((call) => (
                  <li key={call}>
                    <code>{call}</code>
                  </li>
                ))}
              </ul>
            )}
          </div>
          <SampleTabs
            title={sample}
            samples={samples(services)}
            language={language}
            onLanguage={setLanguage}
          />
        </li>
      ))}
    </ol>
  );
}

function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
