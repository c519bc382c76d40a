import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'What this site stores about a visit, why, and what you can ask us to do with it.';

export default function PrivacyPage() {
  return (
    <Page title="Privacy policy" description={lead}>
      <Hero
        title="Privacy policy"
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
