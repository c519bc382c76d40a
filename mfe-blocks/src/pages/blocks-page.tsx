import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'Fifteen production-ready backend blocks that plug into any frontend.';

export default function BlocksPage() {
  return (
    <Page title="Blocks" description={lead}>
      <Hero
        title="Blocks"
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
