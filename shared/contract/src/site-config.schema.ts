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

/** The runtime configuration of the site. Part of a release and public: no secrets. */
export const SiteConfigSchema = v.strictObject({
  /** The public origin of the site, for canonical links. */
  origin: OriginSchema,
  /** Selects the application host for Log In and Sign Up. */
  mode: v.picklist(['production', 'staging']),
  gateway: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  forms: v.strictObject({ base: v.union([BaseUrlSchema, v.literal('')]), appId: optionalLineSchema() }),
  /** Missing in releases of old registries. */
  brand: v.optional(BrandSchema),
});
export type SiteConfig = v.InferOutput<typeof SiteConfigSchema>;
