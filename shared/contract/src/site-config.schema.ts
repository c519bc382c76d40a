import * as v from 'valibot';
import { BrandSchema } from './brand.schema.ts';
import { PagePathSchema, VariantChoiceSchema } from './route.schema.ts';
import { mapSchema } from './schema-tools.ts';
import { blockedPortProblem } from './ports.ts';
import { isHttpsOrLocal } from './urls.ts';
import { oneLine, optionalLineSchema } from './text.schema.ts';
import { TimeSchema } from './timestamp.schema.ts';

const OriginSchema = v.pipe(
  v.string(),
  v.url(),
  v.check(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'An origin has no path, such as "https://example.com".',
  ),
);

const BaseUrlSchema = v.pipe(
  v.string(),
  v.url(),
  oneLine,
  v.regex(/\/$/, 'A service base ends with "/", such as "https://api.example.com/gateway/".'),
);

export const SiteConfigSchema = v.strictObject({
  origin: OriginSchema,
  mode: v.picklist(['production', 'staging']),
  gateway: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  forms: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  brand: v.optional(BrandSchema),
  chosenVariants: v.optional(mapSchema(PagePathSchema, VariantChoiceSchema)),
  /** Service workers of a previous site on this domain, such as `/sw.js`, which the edges replace and remove. */
  formerWorkers: v.optional(
    v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.regex(/^(?:\/[\w-][\w.-]*)+\.js$/, 'A former worker is the path of a script, such as "/sw.js".'),
        ),
      ),
      v.maxLength(20),
    ),
  ),
  /** After a hostile version: edges remove once what scripts stored in each browser. A new time repeats it. */
  visitorDataSince: v.optional(TimeSchema),
});
export type SiteConfig = v.InferOutput<typeof SiteConfigSchema>;

export const NewSiteConfigSchema = v.pipe(
  SiteConfigSchema,
  v.forward(
    v.check(
      ({ origin }) => isHttpsOrLocal(new URL(origin)) || new URL(origin).hostname.endsWith('.localhost'),
      'Use https. Browsers withhold from http origins, except localhost, what forms and cookies need.',
    ),
    ['origin'],
  ),
  v.forward(
    v.check(
      ({ origin }) => portProblem(origin) === null,
      ({ input }) => portProblem(input.origin) ?? '',
    ),
    ['origin'],
  ),
);

function portProblem(origin: string): string | null {
  const { port } = new URL(origin);
  return port === '' ? null : blockedPortProblem(Number(port));
}

export interface ConfigChange {
  key: string;
  from: string | null;
  to: string | null;
}

export function configChanges(from: SiteConfig, to: SiteConfig): ConfigChange[] {
  const [before, after] = [flat(from), flat(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((key) => ({ key, from: before.get(key) ?? null, to: after.get(key) ?? null }))
    .filter((change) => change.from !== change.to);
}

function flat(value: object, prefix: string = ''): Map<string, string> {
  return new Map(
    Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
      typeof entry === 'object' && entry !== null
        ? [...flat(entry, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, String(entry)] as const],
    ),
  );
}
