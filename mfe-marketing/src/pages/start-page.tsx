import { Link, Page, useBrand, useSiteConfig } from '@site/kit';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { ButtonLink } from '@site/ui/button';
import { CallToAction } from '@site/ui/call-to-action';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { freePlan } from './free-plan.art.tsx';
import { pricingQuestions } from './start-page.data.ts';
import { plansForMachines } from './start-page.structured-data.ts';
import { StartPlans } from './start-plans.tsx';
import styles from './start-page.module.css';

const FirstYear = later(() => import(/* webpackChunkName: "later-start" */ './start-first-year.tsx'));
const StartWalkthrough = later(() => import(/* webpackChunkName: "later-start" */ './start-walkthrough.tsx'));

export default function StartPage() {
  const { origin } = useSiteConfig();
  const { name, application, contact } = useBrand();
  const signUp = application && `${application}/auth/register`;
  return (
    <Page
      title="Start free"
      description="Start with one month free in the stage environment, no credit card. Plans from $59.99 per month with one block, 1,000 internal users and three environments."
      structuredData={plansForMachines(name, origin)}
    >
      <div className={`wrap ${styles.top}`}>
        <div className={styles.heading}>
          <h1>Start with one free month</h1>
          <p className="lead">
            See the blocks work in your own product, in the stage environment. No credit card. Choose a
            monthly plan when you’re ready to launch.
          </p>
        </div>
        <div className={styles.choices}>
          <FreePlan signUp={signUp} />
          <NotSure contact={contact} />
        </div>
      </div>
      <Section
        id="pricing"
        tone="sunk"
        title="Start with one block"
        lead="Every plan includes 1,000 internal users and Dev, Stage and Prod. Instrumentation, telemetry, DevOps and infrastructure come with the block."
      >
        <StartPlans signUp={signUp} />
        <p className={styles.small}>
          Need more blocks or users? {contact ? <a href={contact}>Ask us</a> : 'Ask us'} for the price. Prices
          are in US dollars. Fees are non-refundable: see the{' '}
          <Link to="/policies/terms-of-service">terms of service</Link>.
        </p>
        <FirstYear />
      </Section>
      <Section id="questions" layout="split" title="Before you choose">
        <Accordion>
          {pricingQuestions.map(({ question, answer }) => (
            <AccordionItem key={question} title={question}>
              <p>{answer}</p>
            </AccordionItem>
          ))}
        </Accordion>
      </Section>
      <StartWalkthrough />
      <CallToAction
        title="Look at the parts first"
        lead="Fifteen blocks, and what comes with each of them."
        actions={[{ label: 'Explore the blocks', to: '/blocks' }]}
      />
    </Page>
  );
}

function FreePlan({ signUp }: { signUp: string | undefined }) {
  return (
    <section className={styles.free} aria-labelledby="free-plan">
      <div className={styles.body}>
        <h2 id="free-plan" className={styles.title}>
          Free Plan
        </h2>
        <p className={styles.amount}>
          <span className={styles.figure}>$0</span> <span>for one month</span>
        </p>
        <ul className={styles.list}>
          <li>
            <b>1 ×</b> month free
          </li>
          <li>
            <b>1 ×</b> stage environment
          </li>
          <li>
            <b>0 ×</b> credit cards
          </li>
        </ul>
        <ButtonLink href={signUp && `${signUp}?plan=free`} variant="primary" icon="arrow-right">
          Start now
        </ButtonLink>
      </div>
      <div className={styles.drawing}>
        <Picture first art={freePlan} />
      </div>
    </section>
  );
}

function NotSure({ contact }: { contact: string | undefined }) {
  return (
    <section className={styles.unsure} aria-labelledby="not-sure">
      <h2 id="not-sure" className={styles.title}>
        Not Sure
      </h2>
      <p>
        Tell us what you want to build. We’ll tell you which blocks fit, and which you can leave in the box.
        Support responds within 24 hours, Monday to Friday.
      </p>
      <ButtonLink href={contact} icon="external">
        Contact us
      </ButtonLink>
    </section>
  );
}
