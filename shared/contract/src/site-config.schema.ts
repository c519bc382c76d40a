import * as v from 'valibot';
import { BrandSchema } from './brand.schema.ts';
import { oneLine, optionalLineSchema } from './text.schema.ts';

const OriginSchema = v.pipe(
  v.string(),
  v.url(),
  v.check(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'An origin has no path, such as "https://example.com".',
  ),
);

/** Service bases end with "/", so that `new URL('guests', base)` resolves below them. */
const BaseUrlSchema = v.pipe(
  v.string(),
  v.url(),
  oneLine,
  v.regex(/\/$/, 'A service base ends with "/", such as "https://api.example.com/gateway/".'),
);

/** The run-time configuration of the site. It is part of a release and reaches the browser: no secrets. */
export const SiteConfigSchema = v.strictObject({
  /** The public origin of the site, for canonical links. */
  origin: OriginSchema,
  /** `production` leads Log In and Sign Up to the production application host, `staging` to the staging one. */
  mode: v.picklist(['production', 'staging']),
  gateway: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  forms: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  /** Who the site speaks for. Releases of a former registry lack it. */
  brand: v.optional(BrandSchema),
});
export type SiteConfig = v.InferOutput<typeof SiteConfigSchema>;
