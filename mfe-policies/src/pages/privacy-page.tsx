import { Link, useBrand } from '@site/kit';
import { MailLink } from '@site/ui/mail-link';
import { PhoneLink } from '@site/ui/phone-link';
import { Company } from '../layout/company.tsx';
import { KeyTerms } from '../layout/key-terms.tsx';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'who',
    title: 'Who is responsible',
    content: (
      <p>
        <Responsible /> This policy is about the website. Our application, where you sign up and log in, has
        its own privacy notices.
      </p>
    ),
  },
  {
    id: 'guest',
    title: 'Your guest identity',
    content: (
      <>
        <p>
          Every visitor gets an anonymous guest identity. Your browser generates a random number (a UUID) for
          it, from nothing about you or your device. We store:
        </p>
        <ul>
          <li>the random ID, with the role “guest”;</li>
          <li>the times of your current and previous visit;</li>
          <li>
            the IP addresses of those two visits, shortened so that they no longer identify a household:
            before storage, the last part of an IPv4 address and most of an IPv6 address are set to zero.
          </li>
        </ul>
        <p>
          A guest has no name and no email address unless you give us one. Our services use the identity to
          recognize machines that flood the forms, and to store each submission only once. It does not track
          you: we keep no list of the pages you read, and no other site can use it.
        </p>
        <p>
          Your browser keeps a signed token with the random ID in the cookie <code>authToken</code>. The{' '}
          <Link to="/policies/cookies">cookie policy</Link> lists everything this site keeps in your browser.
        </p>
      </>
    ),
  },
  {
    id: 'what-you-send',
    title: 'What you send us',
    content: (
      <>
        <p>Everything else we know about you comes from the forms you send:</p>
        <dl>
          <dt>Newsletter</dt>
          <dd>
            Your email address, to email you a confirmation link and, once you confirm, to send the newsletter
            until you unsubscribe. We store the time of your confirmation and the text you agreed to. Each
            email has a link to unsubscribe that never expires.
          </dd>
          <dt>Referral</dt>
          <dd>
            Your email address, the addresses you enter and your message: to ask you to confirm the referral
            by email, to invite each person once in your name, and to contact you about your reward.
          </dd>
          <dt>Partner application</dt>
          <dd>
            Your name, email address, phone number, country, business, website, services, and how you heard
            about us: to answer your application.
          </dd>
        </dl>
        <p>
          With each submission we store its time and the random ID of your guest identity. A newsletter
          subscription also stays in your browser until it reaches us, in case your connection fails.
        </p>
        <p>
          The forms have a hidden field. Programs that fill in every field fill it in as well, and we set
          those submissions aside as suspected spam.
        </p>
        <p>
          The referral and partner forms also have a captcha that you never see: your browser solves a small
          calculation from our own server. That takes a moment once, but too long for anyone who sends
          thousands of forms. It involves no third party and measures nothing about you, and we store only
          that it was solved. Without JavaScript there is no captcha. To limit abuse, we count forms and
          calculations per IP address and hour, and emails per mailbox and mail domain and day. The counters
          use codes that only our server can generate, and are deleted within two days.
        </p>
      </>
    ),
  },
  {
    id: 'referred',
    title: 'If someone referred you',
    content: (
      <p>
        That person gave us your address. We send it at most one invitation a year, no matter who refers you.
        We store it to keep that limit, and to keep the link in the email working. The email has a link to
        stop all email from us, or write to us and we delete the address. If you opt out, your address stays
        on our opt-out list. The link to our site contains a referral code: if you sign up after following it,
        our application learns who invited you, and nothing else.
      </p>
    ),
  },
  {
    id: 'requests',
    title: 'Requests to our servers',
    content: (
      <p>
        As on any website, each request sends your IP address and the requested address to our servers. We use
        them to deliver the page, find faults and prevent abuse.
      </p>
    ),
  },
  {
    id: 'pages',
    title: 'How well our pages work',
    content: (
      <>
        <p>
          Your browser reports to our own server how a page worked: errors with their message and their place
          in our code, how fast the page loaded and responded, and whether a form was sent, rejected or
          failed. So we notice most bad changes within minutes and roll them back. A report names the page and
          its version, and contains no identifier. We also count the browser engine (one of four) and, for
          errors, the browser’s name (one of eight, such as “Firefox”).
        </p>
        <p>
          If a page has two versions of a text, we count which one was shown and whether it led to a click on
          a button, our start page, the sign-up or a sent form.
        </p>
        <p>
          We remove search terms, email addresses and long numbers from error messages. Browsers write some of
          these messages, and one may quote a word of the code or data that failed. As with any request, your
          IP address comes with a report. It limits how much one network counts, and is not stored.
        </p>
        <p>
          We store totals only: per minute for two days, per hour for 90 days, and per version of a text until
          90 days after its last view. We store the list of errors for 90 days. If an error made us roll back
          a change, its message stays in our change log.
        </p>
        <p>
          Our script sends no reports if your browser signals “Global Privacy Control” or saves data, or if
          JavaScript is off. Some browsers report crashed pages and blocked files on their own. Those reports
          also go to our own server, regardless of these settings.
        </p>
      </>
    ),
  },
  {
    id: 'not',
    title: 'What we do not do',
    content: (
      <ul>
        <li>
          No third parties: fonts, pictures and scripts come from our own servers. No analytics service, no ad
          network.
        </li>
        <li>No profile of you, no fingerprint of your device, no tracking on other sites.</li>
        <li>No sale of data, to anyone.</li>
        <li>No automated decision about you.</li>
      </ul>
    ),
  },
  {
    id: 'why',
    title: 'Legal basis',
    content: (
      <p>
        We process the guest identity, requests and browser reports because a secure, working website is in
        our legitimate interest and yours; newsletter addresses because you consented; applications because
        you want to enter into an agreement with us; and referral addresses because one invitation is in the
        legitimate interest of its sender, as long as its recipient does not object.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    content: (
      <ul>
        <li>Guest identities: 13 months after the last visit.</li>
        <li>
          Newsletter addresses: until you unsubscribe, which deletes them immediately. Unconfirmed addresses:
          at most 33 days after they were last entered, because our confirmation email may be delayed by up to
          30 days and its link works for two.
        </li>
        <li>
          Referrals: 13 months, so that we can agree on your reward. Unconfirmed referrals: 30 days, or until
          the last link expires. Invited addresses: 13 months after the invitation.
        </li>
        <li>Partner applications: three years.</li>
        <li>Suspected spam: 30 days after we marked it. We keep data longer only if the law requires it.</li>
        <li>Data in your browser: see the cookie policy. You can clear it at any time.</li>
      </ul>
    ),
  },
  {
    id: 'where',
    title: 'Where it is',
    content: (
      <p>
        In our own databases at our hosting provider. Only the companies that run this infrastructure for us
        receive it, for that purpose alone, and authorities if the law requires it.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    content: (
      <>
        <p>
          At any time you can ask for a copy of your data, have it corrected or deleted, restrict or object to
          its use, or withdraw your consent. Write to <MailLink />; it’s free. You can also complain to the
          data protection authority where you live.
        </p>
        <p>
          We find your submissions by your email address. Guest identities are anonymous, so we can find yours
          only by its ID. If you clear this site’s cookies, nothing links you to it anymore.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    content: (
      <p>This site is not meant for children under 13, and we do not knowingly collect data about them.</p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    content: <p>When this site’s use of data changes, we update this page and its date.</p>,
  },
];

function Responsible() {
  const { address = {}, place, phone } = useBrand();
  const parts = [address.street, place, address.postalCode, address.country].filter(Boolean).join(', ');
  return (
    <>
      <Company />
      {parts && ` (${parts})`} runs this website and answers for the data it handles. Reach us at <MailLink />
      {phone && (
        <>
          {' '}
          or <PhoneLink />
        </>
      )}
      .
    </>
  );
}

export default function PrivacyPage() {
  return (
    <PolicyPage
      title="Privacy policy"
      lead="The data this site keeps about your visit, why, and your rights. In short: very little, and none of it for anyone else."
      summary={
        <KeyTerms
          terms={[
            { value: '0', label: 'Third parties on our pages', section: 'not' },
            { value: '1 id', label: 'Random, in a cookie', section: 'guest' },
            { value: '13 months', label: 'Until an unused guest identity is deleted', section: 'retention' },
          ]}
        />
      }
      sections={sections}
    />
  );
}
