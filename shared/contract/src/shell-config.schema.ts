import * as v from 'valibot';
import { CardTextSchema } from './card.schema.ts';
import { edgeAddressOf } from './edge-addresses.ts';
import { mapSchema } from './map.schema.ts';

/** The name of a file at the root of the site: one segment, lower case. */
export const RootNameSchema = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    'A file at the root is named in lower case with an extension, such as "site.webmanifest".',
  ),
  v.check(
    (name) => edgeAddressOf(`/${name}`) === null,
    ({ input }) => `The web server writes "/${input}" itself, for each release.`,
  ),
);

/** What the shell adds to its build beside code and styles: `shell.config.ts`. */
export const ShellConfigSchema = v.strictObject({
  /** The drawing that every icon of the site is made from. */
  icon: v.pipe(
    v.string(),
    v.regex(/^\.\/src\/.+\.svg$/, 'The icon is an SVG of the shell, such as "./src/static/favicon.svg".'),
  ),
  /** The line on the preview image of pages that have no card of their own. */
  card: CardTextSchema,
  /** Texts that answer at the root of the site: name → contents. */
  rootFiles: mapSchema(RootNameSchema, v.string()),
});
export type ShellConfig = v.InferOutput<typeof ShellConfigSchema>;

/** Declares what the shell adds to its build. Checked against `ShellConfigSchema` when the shell is built. */
export function defineShell(config: ShellConfig): ShellConfig {
  return config;
}
