import type { Art } from './art.tsx';
import { classes } from './classes.ts';
import { LabelText } from './label-text.tsx';
import styles from './picture.module.css';

export interface PictureProps {
  art: Art;
  /** It stands in the first view of its page: fetched at once. All others are fetched when they come near. */
  first?: boolean;
  className?: string | undefined;
}

/** A drawing from its own file. Takes the width it is given, and its room before it has come. */
export function Picture({ art, first = false, className }: PictureProps) {
  const { src, width, height, title = '', labels } = art;
  const image = (own?: string) => (
    <img
      className={classes(styles.image, own)}
      src={src}
      width={width}
      height={height}
      alt={title}
      {...(first ? { decoding: 'sync', fetchPriority: 'high' } : { decoding: 'async', loading: 'lazy' })}
    />
  );
  if (!labels) return image(className);
  return (
    <span className={classes(styles.labelled, className)}>
      {image()}
      <svg className="art" viewBox={labels.viewBox} aria-hidden="true">
        {labels.texts.map((label, index) => (
          <LabelText key={index} {...label} />
        ))}
      </svg>
    </span>
  );
}
