import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

export default function AgenciesPage() {
  return (
    <Page title="Win More Projects, Deliver Faster" description="Managed API blocks give a digital agency 60% time reduction and 2-3 more projects a month.">
      <Hero title="Win More Projects, Deliver Faster" lead="Managed API blocks give a digital agency 60% time reduction and 2-3 more projects a month." actions={<ButtonLink to="/start" variant="primary">Scale Your Agency</ButtonLink>} />
    </Page>
  );
}
