import { Page } from '@site/kit';
import { CallToAction } from '@site/ui/call-to-action';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';
import { questionsForMachines } from './home-page.structured-data.ts';
import { HomeHero } from './home-hero.tsx';
import { Questions } from './home-questions.tsx';

const LiveConsole = later(
  () => import(/* webpackChunkName: "later-home" */ '../api-console/live-console.tsx'),
);
const Audiences = later(() => import(/* webpackChunkName: "later-home" */ './home-audiences.tsx'));
const StartSteps = later(() => import(/* webpackChunkName: "later-home" */ './start-steps.tsx'));
const InTheBox = later(() => import(/* webpackChunkName: "later-home" */ './home-in-the-box.tsx'));

export default function HomePage() {
  return (
    <Page
      title="Managed API building blocks"
      description="15+ production-ready backend blocks with the business logic built in. Plug them into any frontend and ship up to 10x faster. The first month is free."
      structuredData={[questionsForMachines]}
    >
      <HomeHero />
      <LiveConsole />
      <Section id="for" title="Perfect for" lead="One set of blocks, three kinds of builders.">
        <Audiences />
      </Section>
      <InTheBox />
      <Section
        tone="blueprint"
        id="how"
        title="How does it work?"
        lead="Four steps from an empty plate to a product that runs."
      >
        <StartSteps />
      </Section>
      <Questions />
      <CallToAction
        title="Your first block is four steps away"
        lead="The first month is free in a stage environment. No credit card."
        actions={[{ label: 'Get started', to: '/start/' }]}
      />
    </Page>
  );
}
