import { brand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { Icon } from '@site/ui/icon';
import { PartsList } from '@site/ui/parts-list';
import type { Story } from '../pages/cases-page.data.ts';
import styles from './story-card.module.css';

/** One customer story, with the parts it is built from. Leads to its page on the solutions site. */
export function StoryCard({ slug, title, label, text, result, parts }: Story) {
  return (
    <article className={styles.card}>
      <div className={styles.drawing} aria-hidden="true">
        {parts.map((part) => (
          <BlockGlyph key={part.name} name={part.name} />
        ))}
      </div>
      <div className={styles.text}>
        <div className="row">
          <Badge>{label}</Badge>
          <Badge tone="blue">Example scenario</Badge>
        </div>
        <h3>
          <a href={brand.links.solutions + slug} rel="noopener">
            {title}
          </a>
          <Icon name="external" className={styles.arrow} />
        </h3>
        <p>{text}</p>
        <p className={styles.result}>{result}</p>
        <PartsList
          title={`Parts for: ${title}`}
          hideTitle
          parts={parts.map((part) => ({ count: 1, name: part.label }))}
        />
      </div>
    </article>
  );
}
