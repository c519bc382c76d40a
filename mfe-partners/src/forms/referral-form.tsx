import { referralForm } from '@site/contract/forms/referral';
import { Link } from '@site/kit';
import { Form } from '@site/ui/form';

/** Invites people to the platform in the visitor's name. */
export function ReferralForm() {
  return (
    <Form
      definition={referralForm}
      failed="Your referral was not sent. Every field is as you left it."
      again="Refer someone else"
    >
      We use these addresses for the invitation and your reward only: see the{' '}
      <Link to="/policies/privacy">privacy policy</Link>.
    </Form>
  );
}
