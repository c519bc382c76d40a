import * as v from 'valibot';
import { countryCodes } from './country-codes.ts';
import { EmailSchema, SenderEmailSchema, splitEmails, uniqueEmails } from './email.schema.ts';
import { HONEYPOT_FIELD } from './form-sources.ts';
import { lineSchema, linklessTextSchema, optionalLineSchema } from './text.schema.ts';

/** The most recipients of one referral, after repetitions are left out. */
export const MAX_TO_EMAILS = 20;

/** Refuses nothing: whoever fills it in must not learn from the answer that it was noticed. */
export const HoneypotSchema = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 500),
  ),
);

/** Fields that visitors never see. */
const hidden = {
  [HONEYPOT_FIELD]: v.optional(HoneypotSchema),
  /** The solution of the captcha. */
  captcha: v.optional(v.pipe(v.string(), v.maxLength(4_000))),
};

/** The newsletter's form as a browser without JavaScript posts it. */
export const NewsletterFormSchema = v.strictObject({
  email: EmailSchema,
  [HONEYPOT_FIELD]: v.optional(HoneypotSchema),
});

const enterRecipient = 'Enter at least one email address.';

/** The recipients: a list, or text separated by commas. Each is checked, repetitions are left out. */
export const ToEmailsSchema = v.pipe(
  v.union([v.string(), v.array(v.unknown())], enterRecipient),
  v.transform((value) => (typeof value === 'string' ? splitEmails(value) : value)),
  v.minLength(1, enterRecipient),
  // Before each is looked at: a huge list costs nothing.
  v.maxLength(10 * MAX_TO_EMAILS, `Enter at most ${MAX_TO_EMAILS} email addresses.`),
  v.array(EmailSchema),
  v.transform(uniqueEmails),
  v.maxLength(MAX_TO_EMAILS, `Enter at most ${MAX_TO_EMAILS} email addresses.`),
);

/** What `form_fields` of a referral holds. The sender's address is the subscription's `email`. */
export const ReferralFieldsSchema = v.strictObject({
  to_emails: ToEmailsSchema,
  message: v.optional(linklessTextSchema(2_000)),
  ...hidden,
});
export type ReferralFields = v.InferOutput<typeof ReferralFieldsSchema>;

/** The whole referral form. */
export const ReferralFormSchema = v.strictObject({
  email: SenderEmailSchema,
  ...ReferralFieldsSchema.entries,
});

/** The services that a partner can offer: value → label. */
export const partnerServices = {
  sells: 'Sells',
  design: 'Design',
  development: 'Development',
  consultation: 'Consultation',
  support: 'Support',
} as const;
export type PartnerService = keyof typeof partnerServices;

/** How a partner heard of the product: value → label. */
export const howHeardOptions = {
  customer: 'Customer',
  partner: 'Partner',
  website: 'Website',
  'web-research': 'Web research',
  'social-media': 'Social media',
  email: 'Email',
  event: 'Event',
} as const;
export type HowHeard = keyof typeof howHeardOptions;

const keysOf = <Key extends string>(options: Record<Key, string>) => Object.keys(options) as Key[];

/** A phone number in the usual spellings, with 7 to 15 digits (ITU-T E.164 allows at most 15). */
export const PhoneSchema = v.pipe(
  lineSchema('Enter a phone number.', 40),
  v.regex(
    /^\+?(?:[\s().-]*\d){7,15}[\s().-]*$/,
    'Enter a phone number such as +1 303 555 0100: 7 to 15 digits, spaces, ( ) . and - between them.',
  ),
);

/** The address of a web site; `https://` may be left out, but counts. Empty when there is none. */
export const WebsiteSchema = v.pipe(
  optionalLineSchema(300),
  v.transform((text) => (text === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)),
  v.maxLength(300, 'Use at most 300 characters.'),
  v.check(isWebsite, 'Enter a web address such as https://example.com.'),
);

function isWebsite(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  return /^https?:$/.test(protocol) && /^[^.]+(\.[^.]+)+$/.test(hostname) && username === '';
}

/** What `form_fields` of a partner application holds. The applicant's address is the subscription's `email`. */
export const PartnerApplicationFieldsSchema = v.strictObject({
  first_name: lineSchema('Enter your first name.'),
  last_name: lineSchema('Enter your last name.'),
  phone: PhoneSchema,
  country: v.picklist(countryCodes, 'Choose a country.'),
  business_name: lineSchema('Enter the name of your business.'),
  website: v.optional(WebsiteSchema),
  services: v.pipe(
    v.array(
      v.picklist(keysOf(partnerServices), 'Choose from the services listed.'),
      'Choose at least one service.',
    ),
    v.minLength(1, 'Choose at least one service.'),
    v.maxLength(5, 'Each service can be chosen once.'),
    v.transform((services) => [...new Set(services)]),
  ),
  how_heard: v.picklist(keysOf(howHeardOptions), 'Choose how you heard of us.'),
  ...hidden,
});
export type PartnerApplicationFields = v.InferOutput<typeof PartnerApplicationFieldsSchema>;

/** The whole partner application form. */
export const PartnerApplicationFormSchema = v.strictObject({
  email: EmailSchema,
  ...PartnerApplicationFieldsSchema.entries,
});
