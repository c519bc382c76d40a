import { Picture } from '@site/ui/picture';
import { blockNames } from '../blocks/block-names.ts';
import { weeks } from '../pages/startups-page.data.ts';
import { weekScenes } from './week-scenes.art.tsx';
import styles from './mvp-timeline.module.css';

export function MvpTimeline() {
  return (
    <ol className={styles.timeline}>
      {weeks.map(({ title, text, blocks }, index) => {
        const { standing, added } = weekScenes[(index + 1) as 1 | 2 | 3 | 4];
        return (
          <li key={title} className={styles.week}>
            <div className={styles.scene}>
              <Picture first art={standing} />
              <Picture first art={added} className={styles.added} />
            </div>
            <p className={styles.mark}>Week {index + 1}</p>
            <div className={styles.text}>
              <h3>{title}</h3>
              <p>{text}</p>
              {blocks.length > 0 && (
                <ul className={styles.parts} aria-label={`Blocks of week ${index + 1}`}>
                  {blocks.map((block) => (
                    <li key={block}>
                      <strong>1 ×</strong> {blockNames[block]}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
