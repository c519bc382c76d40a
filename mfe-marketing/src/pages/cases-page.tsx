import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

export default function CasesPage() {
  return (
    <Page title="Customer stories" description="How teams build with managed API blocks.">
      <Hero title="Customer stories" lead="How teams build with managed API blocks." actions={<ButtonLink to="/blocks" variant="primary">Explore the blocks</ButtonLink>} />
    </Page>
  );
}
