import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { Button } from '@site/ui/button';
import { Section } from '@site/ui/section';
import { Stat, Stats } from '@site/ui/stat';
import { blockNames } from '../blocks/block-names.ts';
import { statistics } from './home-audiences.data.ts';
import styles from './home-in-the-box.module.css';

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
        <form action="/blocks#assemble" className={styles.form} aria-label="Assemble your backend">
          <ul className={styles.bag} aria-label="The blocks">
            {(Object.entries(blockNames) as [BlockName, string][]).map(([block, name]) => (
              <li key={block}>
                <label className={styles.part}>
                  <input type="checkbox" name="block" value={block} />
                  <BlockGlyph name={block} />
                  <span>
                    <b>1 ×</b> {name}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          <div className={styles.assemble}>
            <Button type="submit" variant="primary" icon="arrow-right">
              Assemble
            </Button>
            <p>Pick your blocks and get the starter code.</p>
          </div>
        </form>
      </div>
    </Section>
  );
}
