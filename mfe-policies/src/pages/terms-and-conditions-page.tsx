import { Link } from '@site/kit';
import { Company } from '../layout/company.tsx';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'scope',
    title: 'Scope',
    content: (
      <>
        <p>
          These terms and conditions apply to this website: its pages, its newsletter and its forms. By
          visiting the site, you agree to them.
        </p>
        <p>
          They do not cover the platform itself. For accounts, blocks, fees and warranty, see the{' '}
          <Link to="/policies/terms-of-service">terms of service</Link>.
        </p>
      </>
    ),
  },
  {
    id: 'no-sale',
    title: 'Nothing is sold here',
    content: (
      <p>
        This site presents <Company />; it never sells directly. You open accounts and place orders in our
        application, under the terms of service.
      </p>
    ),
  },
  {
    id: 'information',
    title: 'What the pages say',
    content: (
      <>
        <p>
          We keep the pages current, but they’re information, not a promise for your project. Times, savings
          and revenues depend on what you build. Prices may change, and the price shown when you order
          applies.
        </p>
        <p>
          Content marked “Sample builds” illustrates what the blocks are for. It does not describe particular
          customers.
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
          <li>access parts that are not public, or disrupt the site for others;</li>
          <li>send forms automatically, or with other people’s data against their will;</li>
          <li>present the site, its name or its drawings as your own.</li>
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
          Enter only true information that you may share. Refer only people who would be glad to hear from
          you: each address gets one invitation a year at most, no matter who refers it.
        </p>
        <p>
          A partner application binds neither of us. The <Link to="/policies/privacy">privacy policy</Link>{' '}
          explains how we use your data.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Texts, drawings and names',
    content: (
      <p>
        The texts, drawings, code and names on this site belong to <Company /> or its licensors. You may copy
        the code samples into your own projects.
      </p>
    ),
  },
  {
    id: 'links',
    title: 'Links to other sites',
    content: (
      <p>
        Some links lead to other sites, such as our status page, the support center or social networks. They
        have their own terms and policies, and we do not run all of them.
      </p>
    ),
  },
  {
    id: 'availability',
    title: 'Availability',
    content: <p>We do not guarantee that the site is always available, and we may change or remove pages.</p>,
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
