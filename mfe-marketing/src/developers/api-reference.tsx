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
import { siteServices } from './site-services.ts';
import styles from './api-reference.module.css';

export default function ApiReference() {
  const services = siteServices(useSiteConfig());
  return (
    <>
      <Section
        id="request"
        title="Every request"
        lead="Two headers identify the caller. Servers can call from anywhere, browsers from allowed origins only."
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
        title="Every response"
        lead="Responses are JSON:API documents (application/vnd.api+json), with attributes in snake_case and times in ISO 8601."
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
        title="When a call fails"
        lead="Every error names the value, the problem and the fix. Branch on code, and show detail to people."
      >
        <div className={styles.errors}>
          <CodeSample title="An invalid email address" code={errorSample} />
          <DataTable
            caption="Common error codes"
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
        title="API documentation"
        lead="Two services run this site, and each documents its own API. Your app’s blocks have their own base URLs."
      >
        <div className="grid">
          <Card title="Gateway API" href={`${services.gateway.base}docs`}>
            <p>Guests and their tokens.</p>
            <p>
              <code className={styles.base}>{services.gateway.base}</code>
            </p>
          </Card>
          <Card title="Forms API" href={`${services.forms.base}docs`}>
            <p>User identities and form submissions.</p>
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
