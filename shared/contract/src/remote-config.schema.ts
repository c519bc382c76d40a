import * as v from 'valibot';
import { AppNameSchema } from './app-name.schema.ts';
import {
  CardTextSchema,
  OutcomesSchema,
  PagePathSchema,
  RedirectSchema,
  VariantsSchema,
} from './route.schema.ts';
import { claimedPaths, type PathClaims } from './redirects.ts';
import { appOfForm, DeclaredFormsConfigSchema, pageOfPlace } from './forms/declared-form.schema.ts';
import { moduleKey } from './remote-container.ts';
import { tooMany, versionLimits } from './limits.ts';

export const PageConfigSchema = v.strictObject({
  path: PagePathSchema,
  page: v.pipe(
    v.string(),
    v.regex(
      /^\.\/src\/.+\.tsx$/,
      'A page names its module relative to the remote, such as "./src/pages/home-page.tsx".',
    ),
    v.regex(
      /(^|\/)[a-z0-9-]{1,100}\.tsx$/,
      'The file name of a page has lower-case letters, digits and "-" only, at most 100. Rename ' +
        'the file, for example to "home-page.tsx".',
    ),
  ),
  variants: v.optional(VariantsSchema),
  /** Counted for each variant, to find out which is better. */
  outcomes: v.optional(OutcomesSchema),
  card: v.optional(CardTextSchema),
});
export type PageConfig = v.InferOutput<typeof PageConfigSchema>;

export const OwnerSchema = v.pipe(
  v.string(),
  v.maxLength(60, 'The name of a team has at most 60 characters.'),
  v.regex(/^[a-z][a-z0-9-]*$/, 'An owner is a team name in lower case, such as "blocks".'),
);

const unique = (values: string[]) => new Set(values).size === values.length;

export const RemoteConfigSchema = v.pipe(
  v.strictObject({
    name: v.pipe(
      AppNameSchema,
      v.check((name) => name !== 'shell', 'The shell is not a remote.'),
    ),
    owner: OwnerSchema,
    pages: v.pipe(
      v.array(PageConfigSchema),
      v.minLength(1, 'A remote has at least one page.'),
      v.maxLength(versionLimits.pages, tooMany('pages')),
    ),
    redirects: v.pipe(v.array(RedirectSchema), v.maxLength(versionLimits.redirects, tooMany('redirects'))),
    forms: v.optional(DeclaredFormsConfigSchema),
  }),
  v.check(
    (config) => unique(claimedPaths(config)),
    ({ input }) =>
      'A path is claimed twice by this remote: each page path and each redirect "from" may occur ' +
      'once (got ' +
      `${quoted(claimedPaths(input).filter((path, index, all) => all.indexOf(path) !== index))} again).`,
  ),
  v.check(
    ({ pages }) => sharedKeys(pages).length === 0,
    ({ input }) =>
      `Different pages need different file names, because a page's module is exposed by its file ` +
      `name. Rename all but one of: ${quoted(sharedKeys(input.pages))}.`,
  ),
  v.check(
    ({ pages }) => pages.every(({ variants, outcomes }) => variants || !outcomes),
    'Outcomes are counted for the variants of a page: declare "variants" too.',
  ),
  v.check(
    (config) => foreignForms(config).length === 0,
    ({ input }) =>
      `The identifier of a form of this remote begins with "${input.name}/" (got ${quoted(foreignForms(input))}).`,
  ),
  v.check(
    (config) => foreignPlaces(config).length === 0,
    ({ input }) =>
      'The place of a form is the path of a page of this remote, perhaps with "#" and an anchor ' +
      `(got ${quoted(foreignPlaces(input))}).`,
  ),
);

/** Different modules with the same key. Several paths may share a module. */
function sharedKeys(pages: readonly { page: string }[]): string[] {
  const modules = [...new Set(pages.map(({ page }) => page))];
  const keys = modules.map(moduleKey);
  return modules.filter((module) => keys.filter((key) => key === moduleKey(module)).length > 1);
}

interface Claims extends PathClaims {
  name: string;
  forms?: readonly { id: string; place: string }[] | undefined;
}

function foreignForms({ name, forms = [] }: Claims): string[] {
  return forms.map(({ id }) => id).filter((id) => appOfForm(id) !== name);
}

function foreignPlaces({ pages, forms = [] }: Claims): string[] {
  return forms
    .map(({ place }) => place)
    .filter((place) => !pages.some(({ path }) => path === pageOfPlace(place)));
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

export type RemoteConfig = v.InferOutput<typeof RemoteConfigSchema>;

/**
 * Declares a remote with type checking. `RemoteConfigSchema` validates the value when the remote is built, so
 * that errors name the field.
 * @example export default defineRemote({
 *   name: 'mfe-blocks',
 *   owner: 'blocks',
 *   pages: [{ path: '/blocks', page: './src/pages/blocks-page.tsx' }],
 *   redirects: [], });
 */
export function defineRemote<const Config extends v.InferInput<typeof RemoteConfigSchema>>(
  config: Config,
): Config {
  return config;
}
