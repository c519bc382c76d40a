import * as v from 'valibot';
import { onePlainLine } from './text.schema.ts';

/** The size of a link preview image (`og:image`) in pixels. @see https://ogp.me */
export const cardSize = { width: 1200, height: 630 } as const;

/** The text on a page's link preview image, limited by its space. */
export const CardTextSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(3, 'A card needs a line to show, such as "Four weeks to your MVP".'),
  v.maxLength(60, 'A card has room for 60 characters.'),
  onePlainLine,
);
