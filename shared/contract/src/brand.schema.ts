import * as v from 'valibot';
import { lineSchema, oneLine, optionalLineSchema } from './text.schema.ts';
import { isWebAddress } from './urls.ts';

const orMissing = (is: (text: string) => boolean, message: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(200, 'Use at most 200 characters.'),
      oneLine,
      v.check((text) => text === '' || is(text), message),
    ),
  );

const line = () => v.optional(optionalLineSchema());
const address = (example: string) => orMissing(isWebAddress, `It is a web address, such as "${example}".`);
const origin = () =>
  orMissing(
    (text) => isWebAddress(text) && new URL(text).origin === text,
    'It is an origin, without a path, such as "https://app.example.com".',
  );

/**
 * The site's brand: part of a release's configuration, read by pages. Missing fields are hidden and not
 * linked; in mode `production` the brand must be complete (`brandProblems`).
 */
export const BrandSchema = v.strictObject({
  name: lineSchema('A brand needs a name.', 60),
  legalName: line(),
  application: v.optional(v.strictObject({ production: origin(), staging: origin() })),
  status: address('https://status.example.com/'),
  support: address('https://help.example.com/'),
  contact: address('https://www.example.com/contact'),
  /** The base of documentation pages for blocks and stories; the slug is appended. */
  documentation: orMissing(
    (text) => isWebAddress(text) && text.endsWith('/'),
    'It is a web address that ends with "/", such as "https://docs.example.com/".',
  ),
  social: v.optional(
    v.strictObject({
      x: address('https://x.com/example'),
      linkedin: address('https://www.linkedin.com/company/example'),
      instagram: address('https://www.instagram.com/example'),
    }),
  ),
  email: orMissing(
    (text) => v.is(v.pipe(v.string(), v.email()), text),
    'It is an email address, such as "hello@example.com".',
  ),
  /** In display format. */
  phone: orMissing(
    (text) => /^\+[\d\s().-]{5,30}$/.test(text),
    'It is a number as it is dialled from abroad, such as "+1 (303) 555-0142".',
  ),
  address: v.optional(
    v.strictObject({ street: line(), city: line(), region: line(), postalCode: line(), country: line() }),
  ),
  copyrightYear: orMissing(
    (text) => /^\d{4}(?:[-–]\d{4})?$/.test(text),
    'It is a year or two, such as "2025" or "2019–2025".',
  ),
});
export type Brand = v.InferOutput<typeof BrandSchema>;

/**
 * Why a brand is not valid in mode `production`: empty fields, and placeholders under `.example` (RFC 2606).
 * One social profile is sufficient; region and postal code are optional.
 * @returns one line for each field, with its name and value.
 */
export function brandProblems(brand: Brand | undefined): string[] {
  const { name, legalName, application, status, support, contact, documentation } = brand ?? {};
  const { social, email, phone, address: place, copyrightYear } = brand ?? {};
  const profiles = Object.entries(social ?? {}).filter(([, profile]) => profile);
  const values: Record<string, string | undefined> = {
    name,
    legalName,
    'application.production': application?.production,
    'application.staging': application?.staging,
    status,
    support,
    contact,
    documentation,
    ...(profiles.length === 0
      ? { social: '' }
      : Object.fromEntries(profiles.map(([network, profile]) => [`social.${network}`, profile]))),
    email,
    phone,
    'address.street': place?.street,
    'address.city': place?.city,
    'address.country': place?.country,
    copyrightYear,
  };
  return Object.entries(values).flatMap(([field, value]) => {
    if (!value) return [`${field} is empty`];
    return /\.example(?![\w.-]*\w)/i.test(value) ? [`${field} is under .example ("${value}")`] : [];
  });
}
