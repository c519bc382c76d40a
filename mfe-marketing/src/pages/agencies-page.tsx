import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Definitions } from '@site/ui/definitions';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { Stat, Stats } from '@site/ui/stat';
import { agencyScene } from '../agencies/agency-scene.art.tsx';
import { Stories } from '../stories/story.tsx';
import { BlockParts } from '../blocks/block-parts.tsx';
import { agencyClaims, agencyStories, projectTypes, reasons } from './agencies-page.data.ts';
import styles from './agencies-page.module.css';

const RoiCalculator = later(() => import(/* webpackChunkName: "later-roi" */ '../roi/roi-calculator.tsx'));

export default function AgenciesPage() {
  return (
    <Page
      title="For digital agencies"
      description="Win more projects and deliver faster: managed API blocks for agencies, 60% less time per project, and a calculator for your own figures."
    >
      <Hero
        tone="blue"
        title="Win More Projects, Deliver Faster"
        lead="Build every client’s product from the same managed API blocks. Your hours go into what the client sees and pays for."
        actions={[
          { label: 'Scale Your Agency', to: '/start' },
          { label: 'View Case Studies', to: '/cases?filter=digital-agency' },
        ]}
        below={
          <section id="competitive-edge" aria-labelledby="edge-title" className={styles.edge}>
            <h2 id="edge-title">Your Competitive Edge</h2>
            <p>Enter your own figures. You can change every assumption.</p>
            <div id="roi">
              <RoiCalculator />
            </div>
          </section>
        }
      />
      <div className={`wrap ${styles.claims}`}>
        <Stats>
          {agencyClaims.map((claim) => (
            <Stat key={claim.label} {...claim} />
          ))}
        </Stats>
      </div>
      <Section id="why" title="Why top agencies choose blocks" tone="sunk">
        <div className={styles.why}>
          <Picture art={agencyScene} />
          <Definitions className={styles.reasons} items={reasons.map(({ title, text }) => [title, text])} />
        </div>
      </Section>
      <Section
        id="projects"
        title="Projects you can quote tomorrow"
        lead="The most common briefs as parts lists. Every part is a block."
      >
        <ul className={styles.projects}>
          {projectTypes.map(({ name, text, blocks }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
              <BlockParts title={`Parts for: ${name}`} blocks={blocks} drawn />
            </li>
          ))}
        </ul>
      </Section>
      <Section
        id="stories"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Agency Success Stories"
        lead="Three invented agencies, and what the figures above can mean for them."
      >
        <Stories stories={agencyStories} />
      </Section>
      <CallToAction
        title="Start with the next pitch"
        lead="The first month is free, with no credit card."
        actions={[
          { label: 'Start Your Agency Trial', to: '/start' },
          { label: 'Explore All Solutions', to: '/blocks' },
        ]}
      />
    </Page>
  );
}
