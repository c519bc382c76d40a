import { Link, Page, useBrand, useSiteConfig } from '@site/kit';
import { CallToAction } from '@site/ui/call-to-action';
import { Definitions } from '@site/ui/definitions';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { MailLink } from '@site/ui/mail-link';
import { PartsList } from '@site/ui/parts-list';
import { Picture } from '@site/ui/picture';
import { Prose } from '@site/ui/prose';
import { Section } from '@site/ui/section';
import { officesMap } from './about-drawings.art.tsx';
import { story, teamParts } from './about-page.data.ts';
import { companyForMachines } from './about-page.structured-data.ts';
import { statistics } from './home-audiences.data.ts';
import styles from './about-page.module.css';

const AboutFeatures = later(() => import(/* webpackChunkName: "later-cases" */ './about-features.tsx'));

export default function AboutPage() {
  const { origin } = useSiteConfig();
  const brand = useBrand();
  return (
    <Page
      title="About us"
      description="We build the backend parts that every product needs, once, as managed API blocks. Offices in the United States and Colombia, remote worldwide."
      structuredData={[companyForMachines(brand, origin)]}
    >
      <section className="blueprint">
        <Hero
          title="The parts everyone rebuilds, built once"
          lead="Managed API blocks for the backend, so you build what only you can."
          figure={<Picture first art={officesMap} />}
        />
      </section>
      <Section
        id="offices"
        title="Two offices, one workday"
        lead="United States and Colombia. Remote Worldwide."
      >
        <Definitions
          className={styles.places}
          items={[
            [
              'United States',
              // The brand may be in another country.
              brand.place && brand.address?.country === 'United States'
                ? `${brand.place}, where the blocks are made with love.`
                : 'Where the blocks are made with love.',
            ],
            ['Colombia', 'The other office, in nearly the same working hours.'],
            ['Everywhere else', 'We work where we live.'],
          ]}
        />
      </Section>
      <Section id="story" title="Our story" layout="split" tone="sunk">
        <Prose>
          {story.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <Link to="/start">Start here</Link>: the first month is free.
          </p>
        </Prose>
      </Section>
      <AboutFeatures />
      <Section id="team" layout="split" title="Team">
        <div className="stack">
          <p>
            We’re the backend team you don’t have to hire. Some of us build blocks, some keep them running,
            and all of us read your support requests. You hear from us within 24 hours, Monday to Friday.
          </p>
          <PartsList title="Included with every block" parts={teamParts} />
          <p>
            Do you sell, design or build products for clients? <Link to="/partners">Become a partner</Link>.
          </p>
        </div>
      </Section>
      <Section id="investors" layout="split" title="Investors">
        <div className="stack">
          <p>
            Every digital product needs a backend, and most backends repeat the same parts. We offer them as a
            service: developers start on a free tier with pay-as-you-go pricing, and the plans for developers,
            startups and agencies grow with them.
          </p>
          <Definitions
            className={styles.figures}
            items={statistics.map(({ value, label }) => [label, value])}
          />
          <p>
            Questions about the company? Write to <MailLink />.
          </p>
        </div>
      </Section>
      <CallToAction
        title="Skip the parts everyone rebuilds"
        actions={[{ label: 'Start here', to: '/start' }]}
      />
    </Page>
  );
}
