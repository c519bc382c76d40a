import { useSiteConfig } from '@site/kit';
import { Card } from '@site/ui/card';
import { CodeSample } from '@site/ui/code-sample';
import { DataTable } from '@site/ui/data-table';
import { Definitions } from '@site/ui/definitions';
import { Section } from '@site/ui/section';
import {
  documentMembers,
  documentSample,
  errorCodes,
  errorSample,
  requestHeaders,
} from './api-reference.data.ts';
import { servicesOf } from './services-of.ts';
import styles from './api-reference.module.css';

/** Requests, responses, errors and the services' documentation. */
export default function ApiReference() {
  const services = servicesOf(useSiteConfig());
  return (
    <>
      <Section
        id="request"
        title="Every request"
        lead="Two headers say who calls. Servers may call from anywhere, browsers from the origins that the service allows."
      >
        <DataTable
          caption="Request headers"
          hideCaption
          columns={['Header', 'When', 'Value']}
          rows={requestHeaders.map(([name, when, value]) => [<code key={name}>{name}</code>, when, value])}
        />
      </Section>
      <Section
        id="answer"
        title="Every answer"
        lead="Answers are JSON:API documents with the media type application/vnd.api+json. Attributes are named in snake_case, times are written in ISO 8601."
      >
        <div className={styles.pair}>
          <Definitions
            className={styles.members}
            items={documentMembers.map(([name, text]) => [<code key={name}>{name}</code>, text])}
          />
          <CodeSample title="A registered identity" code={documentSample} />
        </div>
      </Section>
      <Section
        id="errors"
        title="When something is wrong"
        lead="An error says what was wrong with which value, and what to do. Build on the code; detail is for people."
      >
        <div className={styles.errors}>
          <CodeSample title="A field breaks a rule" code={errorSample} />
          <DataTable
            caption="Codes that most integrations meet"
            columns={['Code', 'Status', 'What to do']}
            rows={errorCodes.map(([status, code, remedy]) => [
              <code key={code}>{code}</code>,
              status,
              remedy,
            ])}
          />
        </div>
      </Section>
      <Section
        id="reference"
        tone="sunk"
        title="Documentation of the services"
        lead="Two services run this site, and each has an API reference. Your own app’s blocks have other addresses."
      >
        <div className="grid">
          <Card title="Gateway API" href={`${services.gateway.base}docs`}>
            <p>Guests and their tokens.</p>
            <p>
              <code className={styles.base}>{services.gateway.base}</code>
            </p>
          </Card>
          <Card title="Forms API" href={`${services.forms.base}docs`}>
            <p>User identities, and what people send through forms.</p>
            <p>
              <code className={styles.base}>{services.forms.base}</code>
            </p>
          </Card>
          <Card title="Auth Block" to="/blocks/auth">
            <p>Registration, login and password recovery for your users.</p>
          </Card>
        </div>
      </Section>
    </>
  );
}
