import * as v from 'valibot';
import { CardTextSchema } from './route.schema.ts';
import { findEdgeAddress } from './edge-addresses.ts';
import { mapSchema } from './schema-tools.ts';

/** The name of a file at the root of the site: one segment, lower case. */
export const RootNameSchema = v.pipe(
  v.string(),
  v.regex(
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    'A file at the root is named in lower case with an extension, such as "site.webmanifest".',
  ),
  v.check(
    (name) => findEdgeAddress(`/${name}`) === null,
    ({ input }) => `The web server generates "/${input}" for each release.`,
  ),
);

export const ShellConfigSchema = v.strictObject({
  icon: v.pipe(
    v.string(),
    v.regex(/^\.\/src\/.+\.svg$/, 'The icon is an SVG of the shell, such as "./src/static/favicon.svg".'),
  ),
  card: CardTextSchema,
  rootFiles: mapSchema(RootNameSchema, v.string()),
});
export type ShellConfig = v.InferOutput<typeof ShellConfigSchema>;

export function defineShell(config: ShellConfig): ShellConfig {
  return config;
}
