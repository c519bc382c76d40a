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
        <p>
          You accept them by opening an account, by ordering a service or by using one. If you do so for a
          company, you say that you may bind that company, and “you” means that company.
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Who may use the services',
    content: (
      <p>
        You must be <strong>at least 13 years old</strong>. Where the law asks for more years to enter into an
        agreement, that age applies, or a parent or guardian accepts these terms for you.
      </p>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    content: (
      <ul>
        <li>What you tell us when you sign up is true, and you keep it up to date.</li>
        <li>You keep passwords, tokens and app ids safe. What is done with them is taken as done by you.</li>
        <li>Tell us at once when you think that someone else has used your account.</li>
      </ul>
    ),
  },
  {
    id: 'services',
    title: 'What we provide',
    content: (
      <>
        <p>
          We provide the blocks that you chose as managed API microservices, in the environments and within
          the limits of your plan. We maintain them and may change them to keep them secure, lawful and up to
          date.
        </p>
        <p>
          New accounts have one month free in the stage environment, with no credit card. It is meant for
          building and testing, not for your product’s real users.
        </p>
        <p>
          Support is set out in the <Link to="/policies/support">support policy</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'Acceptable use',
    content: (
      <>
        <p>You use the services lawfully, and not to:</p>
        <ul>
          <li>break into systems, spread malware or send unasked-for mail;</li>
          <li>infringe the rights or the privacy of others;</li>
          <li>get around limits, or put a load on the services that harms other customers;</li>
          <li>
            sell the services themselves on as your own platform, unless we have agreed on it in writing.
          </li>
        </ul>
        <p>
          We may suspend an account that does any of this, as far and as long as it is needed, and tell you
          why.
        </p>
      </>
    ),
  },
  {
    id: 'data',
    title: 'Your data and your product',
    content: (
      <>
        <p>
          What you build is yours, and so are the data that you and your users put into the blocks. You let us
          store and process them as far as that is needed to provide the services.
        </p>
        <p>
          The platform, its blocks and their documentation remain ours. For as long as this agreement lasts
          you may use them in your products; the right cannot be passed on without them.
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
          Fees are <strong>non-refundable</strong>, except where the warranty below or the law says otherwise.
        </li>
        <li>Taxes and duties come on top where they apply.</li>
        <li>If a payment stays out after a reminder, we may suspend the services until it arrives.</li>
      </ul>
    ),
  },
  {
    id: 'renewal',
    title: 'Term and renewal',
    content: (
      <>
        <p>
          A service runs for the period that you ordered and then renews for another of the same length,
          unless one of us says no in time.
        </p>
        <p>
          Either of us may give notice of non-renewal or of termination. It is given in writing (an email is
          enough), <strong>at least 30 days</strong> ahead.
        </p>
      </>
    ),
  },
  {
    id: 'rates',
    title: 'Rates on renewal',
    content: (
      <p>
        We may change rates on renewal. An increase is <strong>capped at 10% per unit</strong> over the rate
        of the period before.
      </p>
    ),
  },
  {
    id: 'warranty',
    title: 'Warranty',
    content: (
      <>
        <p>
          We give a <strong>30-day warranty</strong>: for 30 days from the day a service is first provided to
          you, it works in all that matters as its documentation says. Tell us within that time if it does
          not, and we put it right at our cost.
        </p>
        <p>
          Beyond that, and as far as the law allows, the services are provided as they are, without further
          warranties, express or implied. The warranty does not cover faults that come from your own code or
          from use against the documentation.
        </p>
      </>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    content: (
      <>
        <p>
          As far as the law allows, the liability of each of us under this agreement is{' '}
          <strong>capped at the amount that you paid in the 12 months before termination</strong>. Neither of
          us is liable for lost profit, lost data or other indirect damage.
        </p>
        <p>Nothing in these terms limits a liability that the law does not allow to be limited.</p>
      </>
    ),
  },
  {
    id: 'termination',
    title: 'When it ends',
    content: (
      <>
        <p>
          Besides the notice of 30 days above, each of us may end the agreement when the other breaks it in a
          way that matters and does not put that right after being told in writing.
        </p>
        <p>
          When it ends, your right to use the services ends too. Export your data before that day. What is due
          until then remains due; the sections on fees, warranty and liability go on to apply.
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    content: (
      <p>
        We may change these terms. The current text always stands on this page with its effective date, and we
        tell customers by email about changes that matter before they apply. Whoever goes on using the
        services after that day accepts the new text.
      </p>
    ),
  },
];

export default function TermsOfServicePage() {
  return (
    <PolicyPage
      title="Terms of service"
      lead="The agreement for the platform and its blocks: what we provide, what you pay, and what happens when something goes wrong."
      effective="Effective February 15, 2024"
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
