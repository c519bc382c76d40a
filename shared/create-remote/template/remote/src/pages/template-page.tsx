import { Page } from '@site/kit';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { stackScene } from '@site/ui/blocks/stack-scene.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { Step, Steps } from '@site/ui/steps';
import { description, questions, steps } from './template-page.data.ts';
import styles from './template-page.module.css';

export default function TemplatePage() {
  return (
    <Page title="Template title" description={description}>
      <Hero
        title="Template title"
        lead="Say in two sentences what a visitor finds on this page, and why it matters to them."
        actions={[{ label: 'Start Building Free', to: '/start/' }]}
        figure={<Picture first art={stackScene} />}
      />
      <Section id="how" number={1} title="How it works" lead="Three steps, from the first look to a start.">
        <Steps>
          {steps.map(({ title, text }) => (
            <Step key={title} title={title}>
              <p>{text}</p>
            </Step>
          ))}
        </Steps>
      </Section>
      <Section id="questions" number={2} title="Questions">
        <div className={styles.questions}>
          <Accordion>
            {questions.map(({ question, answer }) => (
              <AccordionItem key={question} title={question}>
                <p>{answer}</p>
              </AccordionItem>
            ))}
          </Accordion>
        </div>
      </Section>
      <CallToAction
        title="Something missing?"
        lead="Ask us: we answer on working days."
        actions={[{ label: 'Ask us', to: '/support', icon: 'arrow-right' }]}
      />
    </Page>
  );
}
