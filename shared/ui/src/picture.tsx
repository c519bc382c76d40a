import type { Art } from './art.tsx';
import { classes } from './classes.ts';
import { LabelText } from './label-text.tsx';
import styles from './picture.module.css';

export interface PictureProps {
  art: Art;
  /** The picture is above the fold: load it eagerly. All others are lazy. */
  first?: boolean;
  className?: string | undefined;
}

/** A drawing from its file. Takes the given width and reserves its height before loading. */
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
