import { Page } from '@site/kit';
import { ButtonLink } from '@site/ui/button';
import { Hero } from '@site/ui/hero';

export default function StartupsPage() {
  return (
    <Page title="Your MVP in 4 weeks" description="Managed API blocks take a startup from setup to launch in four weeks.">
      <Hero title="Your MVP in 4 weeks" lead="Managed API blocks take a startup from setup to launch in four weeks." actions={<ButtonLink to="/blocks" variant="primary">Explore the blocks</ButtonLink>} />
    </Page>
  );
}
