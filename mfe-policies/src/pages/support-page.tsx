import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'How fast we answer, and how fast we solve it. Support responds within 24 hours, Monday to Friday.';

export default function SupportPage() {
  return (
    <Page title="Support policy" description={lead}>
      <Hero
        title="Support policy"
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
