import fc from 'fast-check';
import * as v from 'valibot';
import { WebsiteSchema } from './form-schemas.ts';
import { siteFormSchemas } from './site-forms.ts';

const { fields: PartnerApplicationFieldsSchema } = siteFormSchemas['partner-application'];
const { fields: ReferralFieldsSchema } = siteFormSchemas.referral;

const problems = (schema: v.GenericSchema, value: unknown) =>
  (v.safeParse(schema, value).issues ?? []).map((issue) => [
    (issue.path ?? []).map((item) => item.key).join('.'),
    issue.message,
  ]);

const partner = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+1 (303) 555-0100',
  country: 'US',
  business_name: 'Engines',
  services: ['design'],
  how_heard: 'event',
};

describe('a referral', () => {
  test('accepts recipients as text or as a list, without duplicates, in the original order and spelling', () => {
    const expected = ['b@x.com', 'A@x.com'];
    expect(v.parse(ReferralFieldsSchema, { to_emails: ' b@x.com, A@x.com,a@X.com,, ' }).to_emails).toEqual(
      expected,
    );
    expect(
      v.parse(ReferralFieldsSchema, { to_emails: ['b@x.com', 'A@x.com', ' b@x.com '] }).to_emails,
    ).toEqual(expected);
  });

  test('names each invalid recipient once, with its position', () => {
    expect(problems(ReferralFieldsSchema, { to_emails: 'a@x.com, b@x; ädä@x.com' })).toEqual([
      ['to_emails.1', '“b@x”: Enter an email address such as name@example.com.'],
      [
        'to_emails.2',
        '“ädä@x.com”: Before the @, use only letters without accents, digits and signs such as . _ + -.',
      ],
      ['to_emails.2', '“ädä@x.com”: Enter an email address such as name@example.com.'],
    ]);
  });

  test('takes pasted names, brackets and international domains, as one mailbox each', () => {
    const to_emails =
      'Ada Lovelace <ada@example.com>; "Hopper, Grace" <grace@bücher.example>, mailto:ada@example.com., grace@XN--BCHER-KVA.example';
    expect(v.parse(ReferralFieldsSchema, { to_emails }).to_emails).toEqual([
      'ada@example.com',
      'grace@xn--bcher-kva.example',
    ]);
  });

  test.each(['root@127.0.0.1', 'a@10.0.0.5', 'a@[10.0.0.5]', 'a@intranet.1', '"a b"@example.com'])(
    "rejects %s: a machine's IP address, or a spelling that servers interpret differently",
    (email) => {
      expect(problems(ReferralFieldsSchema, { to_emails: [email] })).toEqual([
        ['to_emails.0', `“${email}”: Enter an email address such as name@example.com.`],
      ]);
    },
  );

  test('has one to twenty recipients, not counting duplicates', () => {
    const emails = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@x.com`);
    expect(problems(ReferralFieldsSchema, { to_emails: [...emails(20), 'A0@x.com'] })).toEqual([]);
    expect(problems(ReferralFieldsSchema, { to_emails: emails(21) })).toEqual([
      ['to_emails', 'Enter at most 20 email addresses.'],
    ]);
    expect(problems(ReferralFieldsSchema, { to_emails: ' , ' })).toEqual([
      ['to_emails', 'Enter at least one email address.'],
    ]);
  });
});

describe('a partner application', () => {
  test('does not require a website', () => {
    expect(v.parse(PartnerApplicationFieldsSchema, partner)).toEqual(partner);
  });

  test.each([
    ['first_name', '  ', 'Enter your first name.'],
    ['last_name', '\u200B', 'Enter your last name. If you have one name, enter it here too.'],
    ['last_name', 'a\nb', 'Remove line breaks and control characters.'],
    ['business_name', '\u0000', 'Remove line breaks and control characters.'],
    ['country', 'ZZ', 'Choose a country.'],
    ['services', [], 'Choose at least one service.'],
    ['how_heard', 'dream', 'Choose how you heard about us.'],
    ['website', 'not a site', 'Enter a web address such as https://example.com.'],
    ['website', 'javascript://x.com', 'Enter a web address such as https://example.com.'],
    ['website', 'localhost', 'Enter a web address such as https://example.com.'],
  ])('rejects %s %j', (field, value, message) => {
    expect(problems(PartnerApplicationFieldsSchema, { ...partner, [field]: value })).toEqual([
      [field, message],
    ]);
  });

  test('stores names and websites without invisible characters, and Kosovo', () => {
    const typed = {
      ...partner,
      first_name: '\u202DAda\u202C',
      business_name: 'Exa\u200Bmple',
      website: '\u200Bexample.com.',
      country: 'XK',
    };
    expect(v.parse(PartnerApplicationFieldsSchema, typed)).toMatchObject({
      first_name: 'Ada',
      business_name: 'Example',
      website: 'https://example.com.',
      country: 'XK',
    });
  });

  test.each([
    '030/1234567',
    '(303) 555-0100 x12',
    '+573001112233',
    '303.555.0100',
    '(303) 555-0100',
    '0049 30 1234567',
  ])('accepts the phone %s', (phone) => {
    expect(problems(PartnerApplicationFieldsSchema, { ...partner, phone })).toEqual([]);
  });

  test.each(['12345', '+1234567890123456', '555-CALL', '1+2345678'])('rejects the phone %s', (phone) => {
    expect(problems(PartnerApplicationFieldsSchema, { ...partner, phone })).toEqual([
      [
        'phone',
        'Enter a phone number such as +1 303 555 0100: 7 to 15 digits, spaces, ( ) . / and - between them, “ext. 12” at the end.',
      ],
    ]);
  });

  test.each([
    ['example.com', 'https://example.com'],
    ['http://example.com/a', 'http://example.com/a'],
    ['', ''],
  ])('accepts the website "%s" as "%s"', (website, stored) => {
    expect(v.parse(PartnerApplicationFieldsSchema, { ...partner, website }).website).toBe(stored);
  });
});

describe('accepts its own output as a website, because form and service both parse it:', () => {
  const again = (website: string) => {
    const once = v.safeParse(WebsiteSchema, website);
    if (once.success)
      expect(v.safeParse(WebsiteSchema, once.output)).toMatchObject({ success: true, output: once.output });
    return once.success;
  };
  const ofLength = (length: number) => 'example.com/'.padEnd(length, 'a');

  test('the added https:// counts towards the 300 characters', () => {
    expect([again(ofLength(292)), again(ofLength(293)), again(ofLength(297))]).toEqual([true, false, false]);
    expect(again(`https://${ofLength(292)}`)).toBe(true);
  });

  test('any address and any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.domain(), fc.string(), fc.nat(320).map(ofLength)), (website) => {
        again(website);
      }),
    );
  });
});
