import { Page } from '@site/kit';
import { Hero } from '@site/ui/hero';

export default function StartPage() {
  return (
    <Page title="start" description="start">
      <Hero title="start" />
    </Page>
  );
}
