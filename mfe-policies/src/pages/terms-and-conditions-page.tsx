import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'The rules for using this website.';

export default function TermsAndConditionsPage() {
  return (
    <Page title="Terms and conditions" description={lead}>
      <Hero
        title="Terms and conditions"
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
