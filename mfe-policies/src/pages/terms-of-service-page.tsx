import { Link } from '@site/kit';
import { Company } from '../layout/company.tsx';
import { KeyTerms } from '../layout/key-terms.tsx';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    content: (
      <>
        <p>
          These terms are the agreement between you and <Company /> (“we”) for the use of the platform: its
          blocks, the application in which you manage them, and their support (together “the services”). They
          have been effective since <strong>February 15, 2024</strong>.
        </p>
        <p>You accept them by opening an account, by ordering a service or by using one.</p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Who may use the services',
    content: (
      <p>
        You must be <strong>at least 13 years old</strong>.
      </p>
    ),
  },
  {
    id: 'services',
    title: 'What we provide',
    content: (
      <>
        <p>
          We provide the blocks you choose as managed API microservices, in the environments and within the
          limits of your plan.
        </p>
        <p>New accounts get one month free in the stage environment, with no credit card.</p>
        <p>
          Support is described in the <Link to="/policies/support">support policy</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'fees',
    title: 'Fees and payment',
    content: (
      <ul>
        <li>
          Fees are those of your plan or order. They are <strong>paid in US dollars</strong>.
        </li>
        <li>
          Fees are <strong>non-refundable</strong>.
        </li>
      </ul>
    ),
  },
  {
    id: 'renewal',
    title: 'Term and renewal',
    content: (
      <p>
        Either of us may give notice of non-renewal or of termination, <strong>at least 30 days</strong>{' '}
        ahead.
      </p>
    ),
  },
  {
    id: 'rates',
    title: 'Rates on renewal',
    content: (
      <p>
        Rates may increase on renewal. An increase is <strong>capped at 10% per unit</strong> over the rate of
        the period before.
      </p>
    ),
  },
  {
    id: 'warranty',
    title: 'Warranty',
    content: (
      <p>
        The services come with a <strong>30-day warranty</strong>.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    content: (
      <p>
        Liability under this agreement is{' '}
        <strong>capped at the amount that you paid in the 12 months before termination</strong>.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    content: <p>The current text is always on this page, with its effective date.</p>,
  },
];

export default function TermsOfServicePage() {
  return (
    <PolicyPage
      title="Terms of service"
      lead="The agreement for the platform and its blocks: what we provide, what you pay, and what happens when something goes wrong."
      effective="February 15, 2024"
      summary={
        <KeyTerms
          terms={[
            { value: '30 days', label: 'Notice of non-renewal or termination', section: 'renewal' },
            { value: '10% max.', label: 'Increase per unit on renewal', section: 'rates' },
            { value: '30 days', label: 'Warranty', section: 'warranty' },
            { value: '12 months', label: 'Of payments: the cap on liability', section: 'liability' },
            { value: 'US $', label: 'Fees, non-refundable', section: 'fees' },
            { value: '13 years', label: 'Minimum age', section: 'age' },
          ]}
        />
      }
      sections={sections}
    />
  );
}
