import { Page } from '@site/kit';
import { Hero } from '@site/ui/hero';

export default function AboutPage() {
  return (
    <Page title="about" description="about">
      <Hero title="about" />
    </Page>
  );
}
