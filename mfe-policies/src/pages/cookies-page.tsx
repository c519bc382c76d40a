import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'The few things this site keeps in your browser, each with its purpose.';

export default function CookiesPage() {
  return (
    <Page title="Cookie policy" description={lead}>
      <Hero
        title="Cookie policy"
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
