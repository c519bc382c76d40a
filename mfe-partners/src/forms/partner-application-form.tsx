import { partnerApplicationForm } from '@site/contract/forms/partner-application';
import { Link } from '@site/kit';
import { Form } from '@site/ui/form';

export default function PartnerApplicationForm() {
  return (
    <Form
      definition={partnerApplicationForm}
      failed="Your application wasn’t sent. Your answers are still here."
      again="Send another application"
    >
      We only use this to answer your application. See our <Link to="/policies/privacy">privacy policy</Link>.
    </Form>
  );
}
