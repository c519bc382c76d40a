import { useBrand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { Icon } from '@site/ui/icon';
import { BlockParts } from '../blocks/block-parts.tsx';
import type { Story } from '../pages/cases-page.data.ts';
import styles from './story-card.module.css';

/** A customer story and its blocks. Links to the story's documentation page, if any. */
export function StoryCard({ slug, title, label, text, result, blocks }: Story) {
  const { documentation } = useBrand();
  return (
    <article className={styles.card}>
      <div className={styles.drawing} aria-hidden="true">
        {blocks.map((block) => (
          <BlockGlyph key={block} name={block} />
        ))}
      </div>
      <div className={styles.text}>
        <div className="row">
          <Badge>{label}</Badge>
          <Badge tone="blue">Example scenario</Badge>
        </div>
        <h3>
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
        <p>{text}</p>
        <p className={styles.result}>{result}</p>
        <BlockParts title={`Parts for: ${title}`} blocks={blocks} />
      </div>
    </article>
  );
}
