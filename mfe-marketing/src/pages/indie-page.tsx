import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { BlockParts } from '../blocks/block-parts.tsx';
import { benefits, testimonials, useCases } from './indie-page.data.ts';
import { timeDrawing } from './indie-time-drawing.art.tsx';
import { kitCovers } from './kit-covers.art.tsx';
import styles from './indie-page.module.css';

export default function IndiePage() {
  return (
    <Page
      title="For indie developers"
      description="Ship a 4-week MVP on your own: managed backend blocks cut 80 percent of the time. The first month is free, no credit card."
    >
      <Hero
        title="One developer, a whole backend"
        lead="Take the parts that every product needs from the box, and reach your MVP in four weeks instead of running out of evenings."
        actions={[{ label: 'Explore the blocks', to: '/blocks' }]}
        figure={<Picture first art={kitCovers.indie} />}
      />
      <Section
        tone="sunk"
        id="benefits"
        title="Benefits"
        lead="What changes when most of the backend is already built."
      >
        <div className={styles.benefits}>
          <figure className={styles.time}>
            <Picture art={timeDrawing} />
          </figure>
          <ul className={styles.list}>
            {benefits.map(({ title, text }) => (
              <li key={title} className={styles.benefit}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </Section>
      <Section
        id="use-cases"
        title="Use cases"
        lead="Four products to imagine, and the parts each of them takes."
      >
        <ul className={styles.cases}>
          {useCases.map(({ title, text, blocks }) => (
            <li key={title} className={styles.case}>
              <div className={styles.caseText}>
                <Badge tone="blue">Example scenario</Badge>
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
        title="What it sounds like"
        lead="Not customers: three scenes of how it can go, written from what the blocks promise."
      >
        <ul className={styles.testimonials}>
          {testimonials.map(({ quote, who, what }) => (
            <li key={who}>
              <figure className={styles.testimonial}>
                <Badge tone="blue">Example scenario</Badge>
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
        title="Which parts does yours take?"
        lead="Fifteen blocks in the box. The first month is free."
        actions={[
          { label: 'Explore the blocks', to: '/blocks' },
          { label: 'Start free', to: '/start' },
        ]}
      />
    </Page>
  );
}
