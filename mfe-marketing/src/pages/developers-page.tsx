import { Page, useSiteConfig } from '@site/kit';
import { Actions } from '@site/ui/actions';
import { CallToAction } from '@site/ui/call-to-action';
import { Card } from '@site/ui/card';
import { CodeSample } from '@site/ui/code-sample';
import { DataTable } from '@site/ui/data-table';
import { Definitions } from '@site/ui/definitions';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';
import { servicesOf } from '../developers/services-of.ts';
import {
  documentMembers,
  documentSample,
  errorCodes,
  errorSample,
  requestHeaders,
} from './developers-page.data.ts';
import styles from './developers-page.module.css';

const ApiConsole = later(() => import(/* webpackChunkName: "later-api" */ '../api-console/api-console.tsx'));
const IntegrationSteps = later(
  () => import(/* webpackChunkName: "later-samples" */ '../developers/integration-steps.tsx'),
);

export default function DevelopersPage() {
  const services = servicesOf(useSiteConfig());
  return (
    <Page
      title="Developers"
      description="The documentation for developers: integrate managed blocks through REST in four steps, with samples in curl, JavaScript and TypeScript, headers, JSON:API conventions and error codes."
    >
      <div className={`wrap ${styles.top}`}>
        <div className={styles.heading}>
          <h1>Four steps to a first stored form</h1>
          <div className={styles.intro}>
            <p className="lead">
              You call blocks over REST from anything that can send an HTTP request. Start here, on the
              gateway that runs this site.
            </p>
            <Actions
              actions={[
                { label: 'Read the four steps', to: '#integrate' },
                { label: 'API reference', to: '#reference' },
              ]}
            />
          </div>
        </div>
        <ApiConsole />
      </div>
      <Section
        id="integrate"
        tone="sunk"
        title="Integrate in four steps"
        lead="Each sample goes on where the one before ended. The first three run as they are, on the services of this site; for the last you put in the id of a form of your own."
      >
        <IntegrationSteps />
      </Section>
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
      <CallToAction
        title="Try it on the real thing"
        lead="The first month is free in a stage environment, with no credit card."
        actions={[
          { label: 'Create an app', to: '/start' },
          { label: 'Get help', to: '/support' },
        ]}
      />
    </Page>
  );
}
