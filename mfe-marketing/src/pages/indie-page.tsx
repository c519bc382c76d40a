import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';
import { BlockParts } from '../blocks/block-parts.tsx';
import { testimonials, useCases } from './indie-page.data.ts';
import styles from './indie-page.module.css';

const IndieLogin = later(() => import(/* webpackChunkName: "later-screens" */ '../indie/indie-login.tsx'));
const IndieBenefits = later(
  () => import(/* webpackChunkName: "later-screens" */ '../indie/indie-benefits.tsx'),
);

export default function IndiePage() {
  return (
    <Page
      title="For indie developers"
      description="Ship a 4-week MVP on your own: managed backend blocks cut 80 percent of the time. The first month is free, no credit card."
    >
      <Hero
        tone="signal"
        title="One developer, a whole backend"
        lead="You write the form and the call. The block does the rest: accounts, tokens, emails, servers."
        actions={[
          { label: 'Explore the blocks', to: '/blocks' },
          { label: 'Read the docs', to: '/developers' },
        ]}
        figure={<IndieLogin />}
      />
      <Section
        id="benefits"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Benefits"
        lead="Most of your backend is already built, and already running."
      >
        <IndieBenefits />
      </Section>
      <Section
        tone="sunk"
        id="use-cases"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Use cases"
        lead="Four products and their parts lists. Three blocks cover each backend."
      >
        <ul className={styles.cases}>
          {useCases.map(({ title, text, blocks }) => (
            <li key={title} className={styles.case}>
              <div className={styles.caseText}>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
              <BlockParts title={`Parts for ${title.toLowerCase()}`} blocks={blocks} drawn />
            </li>
          ))}
        </ul>
      </Section>
      <Section
        tone="blueprint"
        id="words"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Four weeks of evenings"
        lead="Three invented builders, and how four weeks can go."
      >
        <ul className={styles.testimonials}>
          {testimonials.map(({ quote, who, what }) => (
            <li key={who}>
              <figure className={styles.testimonial}>
                <blockquote className={styles.quote}>
                  <p>{quote}</p>
                </blockquote>
                <figcaption className={styles.who}>
                  <b>{who}</b>
                  <span>{what}</span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </Section>
      <CallToAction
        title="Your first block is free for a month"
        lead="No credit card. Pick one of 15 and call it today."
        actions={[
          { label: 'Start free', to: '/start' },
          { label: 'Explore the blocks', to: '/blocks' },
        ]}
      />
    </Page>
  );
}
