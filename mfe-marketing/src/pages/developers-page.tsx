import { Page } from '@site/kit';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';

const ApiConsole = later(
  () => import(/* webpackChunkName: "later-developers" */ '../api-console/api-console.tsx'),
);
const IntegrationSteps = later(
  () => import(/* webpackChunkName: "later-developers" */ '../developers/integration-steps.tsx'),
);
const ApiReference = later(
  () => import(/* webpackChunkName: "later-developers" */ '../developers/api-reference.tsx'),
);

export default function DevelopersPage() {
  return (
    <Page
      title="Developers"
      description="The documentation for developers: integrate managed blocks through REST in four steps, with samples in curl, JavaScript and TypeScript, headers, JSON:API conventions and error codes."
    >
      <Hero
        tone="blueprint"
        title="Four steps to a first stored form"
        lead="Anything that can send an HTTP request can use a block. Try it here, on the gateway that runs this site."
        actions={[
          { label: 'Read the four steps', to: '#integrate' },
          { label: 'API reference', to: '#reference' },
        ]}
        below={<ApiConsole />}
      />
      <Section
        id="integrate"
        tone="sunk"
        title="Integrate in four steps"
        lead="Each sample continues from the previous one. The first three run unchanged on this site’s services. The fourth needs the ID of your own form."
      >
        <IntegrationSteps />
      </Section>
      <ApiReference />
      <CallToAction
        title="Try it on the real thing"
        lead="The first month is free in a stage environment, with no credit card."
        actions={[
          { label: 'Create an app', to: '/start' },
          { label: 'Get help', to: '/support' },
        ]}
      />
    </Page>
  );
}
