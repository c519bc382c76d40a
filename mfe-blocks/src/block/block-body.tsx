import { use } from 'react';
import { useBrand } from '@site/kit';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import type { BlockName } from '@site/ui/blocks/block-name';
import { CallToAction } from '@site/ui/call-to-action';
import { Card } from '@site/ui/card';
import { CodeSample } from '@site/ui/code-sample';
import { RecordsScreen } from '@site/ui/screens/records-screen';
import { Section } from '@site/ui/section';
import { blocks, blockPath } from '../pages/blocks-page.data.ts';
import { Content, type Call } from './block-content.ts';
import { CallList } from './call-list.tsx';
import { formatJson } from './format-json.ts';
import styles from './block-body.module.css';

/** A block's page below its first view. Useful before its code arrives, so that loads after everything else. */
export default function BlockBody() {
  const content = use(Content);
  const { application } = useBrand();
  if (!content) return null;
  const { slug, calls, screen, related, questions } = content;
  return (
    <>
      <Section
        title="Call by call"
        id="calls"
        tone="blueprint"
        lead="These calls, their responses and the screen are samples. Paths and fields in your own app can differ."
      >
        <CallList
          sticky
          calls={calls.map((call) => ({
            title: call.title,
            story: <p>{call.text}</p>,
            samples: (
              <>
                <CodeSample title={call.request} code={curlSample(call)} />
                <CodeSample title={`${call.status} · ${call.title}`} code={formatJson(call.response)} />
              </>
            ),
          }))}
        />
      </Section>
      <Section title="In your app" id="result" layout="split" lead={screen.lead}>
        <RecordsScreen title={screen.title} rows={screen.rows} note="Sample data" hue="blue" />
      </Section>
      <Section title="Snaps onto" id="related" tone="sunk">
        {/* Not part of the page's text, so the search does not index it. */}
        <nav className={styles.related} aria-label="Related blocks">
          {Object.entries(related).map(([other, why]) => (
            <Card
              key={other}
              to={blockPath(other as BlockName)}
              title={blockName(other)}
              figure={<BlockGlyph name={other as BlockName} />}
            >
              <p>{why}</p>
            </Card>
          ))}
        </nav>
      </Section>
      <Section title="Questions" id="questions" layout="split">
        <Accordion>
          {questions.map(([question, answer]) => (
            <AccordionItem key={question} title={question}>
              <p>{answer}</p>
            </AccordionItem>
          ))}
        </Accordion>
      </Section>
      <CallToAction
        title={`Snap on ${blockName(slug)}`}
        lead="Your first month is free in the stage environment, with no credit card."
        actions={[
          { label: 'Start Using This Block', href: application && `${application}/auth/register` },
          { label: 'Assemble your backend', to: `/blocks?block=${slug}#assemble` },
        ]}
      />
    </>
  );
}

const blockName = (slug: string) => blocks.find((block) => block.slug === slug)?.name;

function curlSample({ request, body }: Call): string {
  const [method = '', path = ''] = request.split(' ');
  // curl posts a body by default.
  const isDefault = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isDefault ? '' : `-X ${method} `}"$API${path}" \\`,
    `  -H "appid: $APP_ID" -H "Authorization: Bearer $TOKEN"${body === undefined ? '' : ' \\'}`,
    ...(body === undefined ? [] : [`  --json '${formatJson(body)}'`]),
  ].join('\n');
}
