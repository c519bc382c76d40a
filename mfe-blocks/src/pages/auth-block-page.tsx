import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

const lead = 'A users system with registration, login and password recovery.';

export default function AuthBlockPage() {
  return (
    <Page title="Auth Block" description={lead}>
      <Hero
        title="Auth Block"
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
