import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

export default function DevelopersPage() {
  return (
    <Page title="Integrate through REST" description="Four steps from a new app to your first authenticated request.">
      <Hero title="Integrate through REST" lead="Four steps from a new app to your first authenticated request." actions={<ButtonLink to="/start" variant="primary">Start building</ButtonLink>} />
    </Page>
  );
}
