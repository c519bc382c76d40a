import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'The agreement for the platform and its blocks, effective February 15, 2024.';

export default function TermsOfServicePage() {
  return (
    <Page title="Terms of service" description={lead}>
      <Hero
        title="Terms of service"
        lead={lead}
        actions={
          <ButtonLink to="/start/" variant="primary">
            Open a free account
          </ButtonLink>
        }
      />
    </Page>
  );
}
