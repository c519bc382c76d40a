import { Link } from '@site/kit';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { Section } from '@site/ui/section';
import { questions } from './home-page.data.ts';

export function Questions() {
  return (
    <Section
      id="faq"
      layout="split"
      title="Frequently asked questions"
      lead={
        <>
          Something else? <Link to="/support">Ask support</Link>.
        </>
      }
    >
      <Accordion>
        {questions.map(({ question, answer }) => (
          <AccordionItem key={question} title={question}>
            <p>{answer}</p>
          </AccordionItem>
        ))}
      </Accordion>
    </Section>
  );
}
