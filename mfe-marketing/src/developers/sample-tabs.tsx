import { CodeSample } from '@site/ui/code-sample';
import { ToggleGroup } from '@site/ui/toggle-group';
import { languages, type Language, type Samples } from './samples.ts';
import styles from './sample-tabs.module.css';

export interface SampleTabsProps {
  title: string;
  samples: Samples;
  language: Language;
  onLanguage: (language: Language) => void;
}

/**
 * One sample in three languages. The page contains all three. The stylesheet shows the one with the checked radio
 * button, so the selection works without JavaScript.
 */
export function SampleTabs({ title, samples, language, onLanguage }: SampleTabsProps) {
  return (
    <div className={styles.tabs}>
      <ToggleGroup label={`Language: ${title}`} value={language} options={languages} onChange={onLanguage} />
      {languages.map(({ value, label }) => (
        <div key={value} className={styles.panel} data-language={value}>
          <CodeSample title={`${title}, ${label}`} code={samples[value]} />
        </div>
      ))}
    </div>
  );
}
