import { siteFormSchemas } from '@site/contract/forms/site-forms';
import { checkForm } from './check-form.ts';

const { form: ReferralFormSchema } = siteFormSchemas.referral;
const { form: PartnerApplicationFormSchema } = siteFormSchemas['partner-application'];

const referral = { email: 'me@example.com', to_emails: 'a@example.com', message: '' };

test('returns trimmed values, and the recipients as a list without duplicates', () => {
  const values = {
    ...referral,
    email: ' me@example.com ',
    to_emails: 'a@example.com, b@example.com; A@example.com',
  };
  expect(checkForm(ReferralFormSchema, values)).toEqual({
    ok: true,
    output: { email: 'me@example.com', to_emails: ['a@example.com', 'b@example.com'], message: '' },
  });
});

test('names every invalid address among several, each once', () => {
  expect(checkForm(ReferralFormSchema, { ...referral, to_emails: 'a@example.com, bob@, Eve, bob@' })).toEqual(
    {
      ok: false,
      issues: [
        {
          field: 'to_emails',
          message:
            '“bob@”: Enter an email address such as name@example.com. “Eve”: Enter an email address such as name@example.com.',
        },
      ],
    },
  );
});

test('reports one issue per field, in page order', () => {
  const empty = {
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    country: '',
    business_name: '',
    website: 'nowhere',
    services: [],
    how_heard: '',
  };
  const checked = checkForm(PartnerApplicationFormSchema, empty);
  expect(checked).toMatchObject({ ok: false });
  expect(checked.ok ? [] : checked.issues.map(({ field }) => field)).toEqual(Object.keys(empty));
});
