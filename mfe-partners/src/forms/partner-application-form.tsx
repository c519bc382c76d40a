import {
  howHeardOptions,
  PartnerApplicationFormSchema,
  partnerServices,
} from '@site/contract/form-fields.schema';
import { formSources, HONEYPOT_FIELD } from '@site/contract/form-sources';
import { Link } from '@site/kit';
import { CheckboxGroup, RadioGroup } from '@site/ui/choice-group';
import { ErrorSummary } from '@site/ui/error-summary';
import { Select, type Option } from '@site/ui/select';
import { TextField } from '@site/ui/text-field';
import { countryOptions } from './country-options.data.ts';
import { FormAccepted } from './form-accepted.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { SubmitRow } from './submit-row.tsx';
import { useForm, type FormDefinition } from './use-form.ts';
import styles from './forms.module.css';

const definition: FormDefinition = {
  source: 'partner-application',
  schema: PartnerApplicationFormSchema,
  initial: {
    first_name: '',
    last_name: '',
    email: '',
    phone: '',
    business_name: '',
    website: '',
    country: '',
    services: [],
    how_heard: '',
    captcha: '',
    [HONEYPOT_FIELD]: '',
  },
};

const toOptions = (labels: Record<string, string>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The application of a business that wants to work with the platform as a partner. */
export function PartnerApplicationForm() {
  const { status, problems, attempt, restart, formProps, text, choices } = useForm(definition);
  if (status === 'accepted') {
    return (
      <FormAccepted title="We have your application" again="Send another application" onAgain={restart}>
        We read each one and answer by email to the address you gave.
      </FormAccepted>
    );
  }
  return (
    <form {...formProps} className={styles.form} aria-label="Apply as a partner">
      <ErrorSummary
        {...(status === 'failed'
          ? { title: 'Your application was not sent. Every field is as you left it.' }
          : {})}
        problems={problems}
        attempt={attempt}
      />
      <div className={styles.pair}>
        <TextField
          {...text('first_name')}
          label="First name"
          autoComplete="given-name"
          maxLength={100}
          required
        />
        <TextField
          {...text('last_name')}
          label="Last name"
          autoComplete="family-name"
          maxLength={100}
          required
        />
      </div>
      <div className={styles.pair}>
        <TextField
          {...text('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          required
        />
        <TextField
          {...text('phone')}
          label="Phone"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          required
        />
      </div>
      <div className={styles.pair}>
        <TextField
          {...text('business_name')}
          label="Business name"
          autoComplete="organization"
          maxLength={100}
          required
        />
        {/* Text, not `url`: the browser's own check would insist on https:// */}
        <TextField
          {...text('website')}
          label="Website"
          optional
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
        />
      </div>
      <Select
        {...text('country')}
        label="Country"
        placeholder="Choose a country"
        options={countryOptions}
        autoComplete="country"
        required
      />
      <CheckboxGroup
        {...choices('services')}
        label="Services you offer"
        hint="Choose at least one."
        options={toOptions(partnerServices)}
      />
      <RadioGroup
        {...text('how_heard')}
        label="How did you hear about us?"
        options={toOptions(howHeardOptions)}
        required
      />
      <HiddenFields form="partner-application" sourceId={formSources['partner-application']} />
      <SubmitRow sending={status === 'sending'} label="Send application">
        We use what you send to answer your application: see the{' '}
        <Link to="/policies/privacy">privacy policy</Link>.
      </SubmitRow>
    </form>
  );
}
