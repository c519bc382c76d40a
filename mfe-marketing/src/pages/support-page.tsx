import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

export default function SupportPage() {
  return (
    <Page title="Support" description="Support responds within 24 hours, Monday to Friday.">
      <Hero title="Support" lead="Support responds within 24 hours, Monday to Friday." actions={<ButtonLink to="/policies/support" variant="primary">Read the support policy</ButtonLink>} />
    </Page>
  );
}
