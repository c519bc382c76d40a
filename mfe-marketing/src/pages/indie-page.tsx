import { Page } from '@site/kit';
import { Hero } from '@site/ui/hero';

export default function IndiePage() {
  return (
    <Page title="indie" description="indie">
      <Hero title="indie" />
    </Page>
  );
}
