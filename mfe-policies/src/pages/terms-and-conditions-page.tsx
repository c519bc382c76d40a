import { Link } from '@site/kit';
import { Company } from '../layout/company.tsx';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'scope',
    title: 'What this text is about',
    content: (
      <>
        <p>
          These terms and conditions apply to this website: its pages, its newsletter and its forms. By
          visiting the site, you agree to them.
        </p>
        <p>
          They are not the agreement for the platform itself. Accounts, blocks, fees and warranty are the
          subject of the <Link to="/policies/terms-of-service">terms of service</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'no-sale',
    title: 'Nothing is sold here',
    content: (
      <p>
        This site tells you about <Company />; it never sells directly. To open an account or to order you go
        on to our application, where the terms of service hold.
      </p>
    ),
  },
  {
    id: 'information',
    title: 'What the pages say',
    content: (
      <>
        <p>
          We write the pages with care and keep them current, but they’re information, not a promise for your
          project. Times, savings and revenues depend on what you build. Prices may change; those shown when
          you order are the ones that count.
        </p>
        <p>
          Stories marked “Example scenario” or “Sample builds” illustrate what the blocks are for. They do not
          describe particular customers.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'Using the site',
    content: (
      <>
        <p>You are welcome to read, link to and quote this site. Please do not:</p>
        <ul>
          <li>try to get into parts that are not public, or disturb the site for others;</li>
          <li>send forms by machine, or with the data of people who would not want that;</li>
          <li>pass off the site, its name or its drawings as your own.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'what-you-send',
    title: 'What you send us',
    content: (
      <>
        <p>
          What you enter into the newsletter, the referral form and the partner application should be true,
          and yours to send. Refer only people who would be glad to hear from you: each address gets one
          invitation a year at most, no matter who refers it.
        </p>
        <p>
          An application to become a partner binds neither of us. What we do with the data is set out in the{' '}
          <Link to="/policies/privacy">privacy policy</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Texts, drawings and names',
    content: (
      <p>
        The texts, drawings, code and names on this site belong to <Company /> or to those who let us use
        them. The code samples are there to be copied into your own projects.
      </p>
    ),
  },
  {
    id: 'links',
    title: 'Links to other sites',
    content: (
      <p>
        Some links lead elsewhere, for instance to our status page, to the support center or to social
        networks. Those sites have their own terms and policies. We chose the links with care but do not run
        every site behind them.
      </p>
    ),
  },
  {
    id: 'availability',
    title: 'Availability',
    content: (
      <p>
        We want the site to be there whenever you come, but we do not guarantee it, and we may change or take
        down pages.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    content: (
      <p>When we change these terms and conditions, we publish the new text and its date on this page.</p>
    ),
  },
];

export default function TermsAndConditionsPage() {
  return (
    <PolicyPage
      title="Terms and conditions"
      lead="The rules for using this website. They are short: it is a place to read, not to buy."
      sections={sections}
    />
  );
}
