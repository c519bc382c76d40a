import { MAX_TO_EMAILS, ReferralFormSchema } from '@site/contract/form-fields.schema';
import { formSources, HONEYPOT_FIELD } from '@site/contract/form-sources';
import { referralThanks } from '@site/contract/referral-thanks';
import { Link } from '@site/kit';
import { ErrorSummary } from '@site/ui/error-summary';
import { TextArea } from '@site/ui/text-area';
import { TextField } from '@site/ui/text-field';
import { FormAccepted } from './form-accepted.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { referralMessage } from './referral-message.data.ts';
import { SubmitRow } from './submit-row.tsx';
import { useForm, type FormDefinition } from './use-form.ts';
import styles from './forms.module.css';

const definition: FormDefinition = {
  source: 'referral',
  schema: ReferralFormSchema,
  initial: { email: '', to_emails: '', message: referralMessage, captcha: '', [HONEYPOT_FIELD]: '' },
};

/** Invites up to twenty people to the platform, in the name of the visitor. */
export function ReferralForm() {
  const {
    status,
    confirmation = 'unknown',
    problems,
    attempt,
    restart,
    formProps,
    text,
  } = useForm(definition);
  if (status === 'accepted') {
    const { title, text: told } = referralThanks[confirmation];
    return (
      <FormAccepted title={title} again="Refer someone else" onAgain={restart}>
        {told}
      </FormAccepted>
    );
  }
  return (
    <form {...formProps} className={styles.form} aria-label="Refer someone">
      <ErrorSummary
        {...(status === 'failed'
          ? { title: 'Your referral was not sent. Every field is as you left it.' }
          : {})}
        problems={problems}
        attempt={attempt}
      />
      <TextField
        {...text('email')}
        label="From: your email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        required
      />
      {/* Several lines: a column of addresses can be pasted as it is. Not autocomplete="off": browsers would then lose it on Back. */}
      <TextArea
        {...text('to_emails')}
        label="To: their emails"
        hint={`Up to ${MAX_TO_EMAILS} addresses, separated by commas. Each gets one mail, once you have confirmed yours.`}
        rows={2}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextArea
        {...text('message')}
        label="Message"
        hint="Without web addresses."
        optional
        rows={7}
        maxLength={2000}
      />
      <HiddenFields form="referral" sourceId={formSources.referral} />
      <SubmitRow sending={status === 'sending'} label="Send referral">
        We use these addresses for the invitation only: see the{' '}
        <Link to="/policies/privacy">privacy policy</Link>.
      </SubmitRow>
    </form>
  );
}
