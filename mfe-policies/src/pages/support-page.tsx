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
          Support responds <strong>within 24 hours, Monday to Friday</strong>. We answer weekend requests on
          the next working days.
        </p>
        <p>The resolution time of a fault depends on its priority.</p>
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
          <strong>Commercial services</strong> get support per the purchased service, which defines your
          priorities, channels and hours.
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
          Each incident has a priority, which sets its response and resolution times and the number of
          incidents per month.
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
          Percentages are per priority: of 100 critical faults, 99 are resolved within 1 to 4 hours during
          business hours.
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
          Every incident has an <strong>incident number</strong>. Quote it whenever you write or call about
          the same incident. We notify you of each new status:
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
        <p>A complete report is resolved sooner. Include:</p>
        <ul>
          <li>the block, the environment (Dev, Stage or Prod) and your app id;</li>
          <li>what you expected and what happened instead, with the time and the error you saw;</li>
          <li>how many of your users it affects;</li>
          <li>the steps to reproduce it.</li>
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
    title: 'Related terms',
    content: (
      <p>
        For fees, warranty and liability, see the{' '}
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
          <a href={support}>Support Center</a>: open an incident or read guides.
        </li>
      )}
      {status && (
        <li>
          <a href={status}>Platform Status</a>: see the current incidents.
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
      lead="Response times, resolution times and notifications, by priority."
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
