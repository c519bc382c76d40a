import { Link, useBrand } from '@site/kit';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { Icon } from '@site/ui/icon';
import { LiveRegion } from '@site/ui/notice';
import { usePageFilter } from '@site/ui/page-query';
import { ToggleGroup } from '@site/ui/toggle-group';
import { blocks, groups } from './blocks-page.data.ts';
import styles from './block-inventory.module.css';

/** The last page of every manual: all parts, drawn and counted. Each links to its block's page, if the site has one. */
export function BlockInventory() {
  const { documentation } = useBrand();
  const [group, show] = usePageFilter(groups);
  const shown = blocks.filter((block) => group === 'all' || block.group === group);
  return (
    <>
      <div className={styles.bar}>
        <ToggleGroup label="Show blocks about" value={group} options={groups} onChange={show} />
        <LiveRegion className={styles.count}>{`${shown.length} of ${blocks.length} blocks`}</LiveRegion>
      </div>
      <ul className={styles.sheet}>
        {shown.map(({ slug, name, text, page }) => (
          <li key={slug} className={styles.part}>
            <div className={styles.glyph}>
              <BlockGlyph name={slug} />
            </div>
            <div className={styles.text}>
              {/* The search links each block by its id. */}
              <h3 id={slug} className={styles.name}>
                <span className={styles.times} aria-hidden="true">
                  1 ×{' '}
                </span>
                {documentation ? (
                  <a href={documentation + slug} rel="noopener">
                    {name}
                  </a>
                ) : (
                  name
                )}
              </h3>
              <p>{text}</p>
              {page && (
                <p className={styles.here}>
                  <Link to={page}>What it does, call by call</Link>
                </p>
              )}
            </div>
            {documentation && <Icon name="external" className={styles.arrow} />}
          </li>
        ))}
      </ul>
    </>
  );
}
