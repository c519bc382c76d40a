import { Link, useBrand } from '@site/kit';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { Icon } from '@site/ui/icon';
import { LiveRegion } from '@site/ui/notice';
import { usePageFilter } from '@site/ui/page-query';
import { ToggleGroup } from '@site/ui/toggle-group';
import { blocks, groups, blockPath, type Block } from './blocks-page.data.ts';
import styles from './block-inventory.module.css';

export function BlockInventory() {
  const { documentation } = useBrand();
  const [group, show] = usePageFilter(groups);
  const isShown = (block: Block) => group === 'all' || block.group === group;
  return (
    <div className={styles.inventory}>
      <div className={styles.bar}>
        <ToggleGroup
          label="Show blocks about"
          parameter="filter"
          value={group}
          options={groups}
          onChange={show}
        />
        <LiveRegion className="visually-hidden">
          {`${blocks.filter(isShown).length} of ${blocks.length} blocks`}
        </LiveRegion>
      </div>
      <ul className={styles.sheet}>
        {blocks.map((block) => {
          const { slug, name, text } = block;
          return (
            <li key={slug} className={styles.part} data-group={block.group} hidden={!isShown(block)}>
              <div className={styles.glyph}>
                <BlockGlyph name={slug} />
              </div>
              <div className={styles.text}>
                <h3 className={styles.name}>
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
                <p className={styles.here}>
                  <Link to={blockPath(slug)}>
                    <span className="visually-hidden">{name}, </span>call by call
                  </Link>
                </p>
              </div>
              {documentation && <Icon name="external" className={styles.arrow} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
