import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { Section } from '@site/ui/section';
import { Stat, Stats } from '@site/ui/stat';
import { blockNames } from '../blocks/block-names.ts';
import { statistics } from './home-audiences.data.ts';
import styles from './home-in-the-box.module.css';

/** The inventory page of the manual: three statistics, and every part in the box. */
export default function InTheBox() {
  return (
    <Section
      tone="sunk"
      id="box"
      title="What is in the box"
      lead="Each block is one part of a backend, finished: API, business logic, instrumentation, telemetry, DevOps and infrastructure."
    >
      <div className={styles.box}>
        <div className={styles.statistics}>
          <Stats>
            {statistics.map(({ value, label }) => (
              <Stat key={label} value={value} label={label} />
            ))}
          </Stats>
        </div>
        <ul className={styles.bag} aria-label="The blocks">
          {(Object.entries(blockNames) as [BlockName, string][]).map(([block, name]) => (
            <li key={block} className={styles.part}>
              <BlockGlyph name={block} />
              <span>
                <b>1 ×</b> {name}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
