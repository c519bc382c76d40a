import { partnerApplicationForm } from '@site/contract/forms/partner-application';
import { Link } from '@site/kit';
import { Form } from '@site/ui/form';

/** A business's application to become a partner. */
export default function PartnerApplicationForm() {
  return (
    <Form
      definition={partnerApplicationForm}
      failed="Your application was not sent. Every field is as you left it."
      again="Send another application"
    >
      We use what you send to answer your application: see the{' '}
      <Link to="/policies/privacy">privacy policy</Link>.
    </Form>
  );
}
