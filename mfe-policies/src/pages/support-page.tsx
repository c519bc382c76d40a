import { Link, useBrand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { DataTable } from '@site/ui/data-table';
import { MailLink } from '@site/ui/mail-link';
import { PhoneLink } from '@site/ui/phone-link';
import { IncidentStates } from '../layout/incident-states.tsx';
import { KeyTerms } from '../layout/key-terms.tsx';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';
import { priorityColumns, priorityRows } from './support-page.data.ts';
import styles from './support-page.module.css';

const sections: readonly PolicySection[] = [
  {
    id: 'response',
    title: 'When we answer',
    content: (
      <>
        <p>
          Support responds <strong>within 24 hours, Monday to Friday</strong>. What arrives on a Saturday or a
          Sunday is answered on the working days that follow.
        </p>
        <p>How soon a fault is solved depends on its priority, set out below.</p>
      </>
    ),
  },
  {
    id: 'plans',
    title: 'Who gets which support',
    content: (
      <>
        <p>
          <strong>Free accounts</strong> get support through email or other channels, such as the support
          center.
        </p>
        <p>
          <strong>Commercial services</strong> get support per the purchased service: what you bought says
          which priorities, channels and hours apply to you.
        </p>
      </>
    ),
  },
  {
    id: 'priorities',
    title: 'Priorities',
    content: (
      <>
        <p>
          Each incident gets a priority. It sets the response time, the time to a solution, and how many a
          month are covered.
        </p>
        <DataTable
          caption="Support priorities"
          columns={priorityColumns}
          rows={priorityRows.map(({ priority, tone, detail, response, resolution, incidents }) => [
            <span key="priority" className={styles.priority}>
              <Badge tone={tone}>{priority}</Badge>{' '}
              {detail && <span className={styles.detail}>{detail}</span>}
            </span>,
            response,
            resolution,
            incidents,
          ])}
        />
        <p>
          The percentages are of the faults of that priority: of a hundred critical faults, ninety-nine are
          solved within 1 to 4 hours during business hours.
        </p>
      </>
    ),
  },
  {
    id: 'incidents',
    title: 'What you hear from us',
    content: (
      <>
        <p>
          Every incident has an <strong>incident number</strong>. Name it when you write or call about the
          same thing again. You are notified each time the incident moves on:
        </p>
        <IncidentStates />
      </>
    ),
  },
  {
    id: 'reporting',
    title: 'How to report an incident',
    content: (
      <>
        <p>The more of this your report holds, the sooner it is solved:</p>
        <ul>
          <li>the block, the environment (Dev, Stage or Prod) and your app id;</li>
          <li>what you expected and what happened instead, with the time and the error you saw;</li>
          <li>how many of your users it affects;</li>
          <li>the steps that lead to it, if you can repeat it.</li>
        </ul>
        <p>Never send us passwords or tokens. We do not need them and will not ask for them.</p>
      </>
    ),
  },
  {
    id: 'channels',
    title: 'Where to find us',
    content: <Channels />,
  },
  {
    id: 'terms',
    title: 'How this fits with the terms',
    content: (
      <p>
        This policy describes our support. Fees, warranty and liability are set out in the{' '}
        <Link to="/policies/terms-of-service">terms of service</Link>.
      </p>
    ),
  },
];

function Channels() {
  const { support, status, email, phone } = useBrand();
  return (
    <ul>
      {support && (
        <li>
          <a href={support}>Support Center</a>: open an incident, read guides.
        </li>
      )}
      {status && (
        <li>
          <a href={status}>Platform Status</a>: see whether we know about it already.
        </li>
      )}
      <li>
        {email && 'Email: '}
        <MailLink />
      </li>
      {phone && (
        <li>
          Phone: <PhoneLink />
        </li>
      )}
    </ul>
  );
}

export default function SupportPolicyPage() {
  return (
    <PolicyPage
      title="Support policy"
      lead="How soon we answer, how soon we solve it, and what we tell you on the way."
      summary={
        <KeyTerms
          terms={[
            { value: '24 h', label: 'Response, Monday to Friday', section: 'response' },
            { value: '1 h', label: 'Response to critical faults', section: 'priorities' },
            { value: '4 notices', label: 'From New to Closed', section: 'incidents' },
          ]}
        />
      }
      sections={sections}
    />
  );
}
