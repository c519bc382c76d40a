import { referralForm } from '@site/contract/forms/referral';
import { Link } from '@site/kit';
import { Form } from '@site/ui/form';

export function ReferralForm() {
  return (
    <Form
      definition={referralForm}
      failed="Your referral wasn’t sent. Your answers are still here."
      again="Refer someone else"
    >
      We only use these addresses for the invitation and your reward. See our{' '}
      <Link to="/policies/privacy">privacy policy</Link>.
    </Form>
  );
}
