import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'Refer a team, or become a partner, and earn rewards.';

export default function PartnersPage() {
  return (
    <Page title="Partners" description={lead}>
      <Hero
        title="Partners"
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
