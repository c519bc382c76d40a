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
        <Responsible /> This policy is about the website. In our application, where you sign up and log in,
        further data is handled as its own notices say.
      </p>
    ),
  },
  {
    id: 'guest',
    title: 'Your guest identity',
    content: (
      <>
        <p>
          Every visitor gets an anonymous guest identity. Your browser draws a random number (a UUID) for it;
          it is not made from anything about you or your device. We keep with it:
        </p>
        <ul>
          <li>the random id, and that its role is “guest”;</li>
          <li>the time of your current and of your last visit;</li>
          <li>
            the network address of those two visits, shortened so that it no longer points to one household:
            the last part of an IPv4 address, and most of an IPv6 address, is set to zero before it is stored.
          </li>
        </ul>
        <p>
          A guest has no name and no email address unless you give us one. The identity lets our services tell
          a visitor from a machine that floods the forms, and keeps one submission from being stored twice. It
          is not used to follow you: we record no list of the pages you read, and it means nothing on any
          other site.
        </p>
        <p>
          A signed token with the random id is kept in your browser as the cookie <code>authToken</code>: see
          the <Link to="/policies/cookies">cookie policy</Link>, which lists everything else that this site
          keeps there.
        </p>
      </>
    ),
  },
  {
    id: 'what-you-send',
    title: 'What you send us',
    content: (
      <>
        <p>Everything else we know about you is what you typed into a form and sent:</p>
        <dl>
          <dt>Newsletter</dt>
          <dd>
            Your email address, to ask you by mail whether it is for the newsletter, and once you have
            confirmed it, to send you the newsletter until you unsubscribe. We keep when you confirmed it and
            the words that you agreed to. Each email has a link to unsubscribe that never expires.
          </dd>
          <dt>Referral</dt>
          <dd>
            Your email address, the addresses you enter and your message, to ask you by mail whether the
            referral is yours, then to invite each of these people once, in your name, and to write to you
            about your reward.
          </dd>
          <dt>Partner application</dt>
          <dd>
            Your name, email address, phone number and country, your business and its website, the services
            you offer and how you heard of us, to answer your application.
          </dd>
        </dl>
        <p>
          With each submission we keep the time it came and the random id of your guest identity. Until it has
          arrived, a newsletter subscription also waits in your own browser, so that a lost connection does
          not lose it.
        </p>
        <p>
          The forms hold a field that people do not see. Programs that fill in everything fill it in too; what
          comes with it is set aside as suspected spam.
        </p>
        <p>
          The referral and partner forms also have a captcha that asks you nothing: when you send one, your
          browser solves a small calculation that our own server set. It takes a moment of computing, which is
          too much for those who send thousands. No one else is asked, nothing is measured about you, and we
          keep only the fact that it was solved. Without JavaScript there is none. We count how many forms and
          calculations a network address asks for in an hour, and how many mails a mailbox and a mail domain
          cause or get in a day. What is counted is stored as a code that only our server can make, and
          removed within two days.
        </p>
      </>
    ),
  },
  {
    id: 'referred',
    title: 'If someone referred you',
    content: (
      <p>
        Then that person gave us your address. We use it for one invitation a year at most, no matter who
        refers you, and keep it to hold to that, and so that the link in the mail goes on working. The mail
        tells you how to hear no more from us; you can also write to us, and we delete the address. An address
        that wants no more mail stays on a list of those, or we could not heed it. The link to our site
        carries a code of the referral: if you sign up after following it, our application learns who invited
        you, and nothing else.
      </p>
    ),
  },
  {
    id: 'requests',
    title: 'Requests to our servers',
    content: (
      <p>
        As with any website, your browser sends our servers its network address and what it asks for, or they
        could not answer. We use this to deliver the page, to find faults and to ward off abuse.
      </p>
    ),
  },
  {
    id: 'pages',
    title: 'How well our pages work',
    content: (
      <>
        <p>
          Your browser tells our own server how a page went: whether something in it failed, with the message
          and the place in our code, how fast it was shown and answered, and whether a form was sent, refused
          or could not be sent. So we notice most bad changes within minutes and take them back. It says which
          page and which version of it, and carries no identifier. We also count the browser engine, one of
          four kinds, and of a failure the kind of browser, by one of eight names such as “Firefox”. If a page
          has two versions of a text, we count which one a load showed and whether it led to a pressed button,
          our start page, the sign-up or a sent form. From the message of an error we remove search words,
          email addresses and long numbers. Browsers write some of these messages, and one may quote a word of
          what failed. Your network address comes with it as with any request. It bounds how much one network
          counts, and is not kept. We keep sums, of minutes for two days and of hours for 90, those of each
          version of a text until 90 days after its last view, and the list of what failed for 90 days. Where
          an error made us take a change back, its message stays in the record of our changes.
        </p>
        <p>
          Our script reports none of this in a browser that sends the signal “Global Privacy Control” or saves
          data, nor without JavaScript. Some browsers report by themselves that a page broke off, or that a
          file was blocked by our rules. They send that to our own server as well, whatever these settings
          say.
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
    title: 'Why we may',
    content: (
      <p>
        We handle the guest identity, the requests and what browsers tell of our pages because a secure,
        working website is in our legitimate interest and in yours; newsletter addresses because you agreed to
        get the newsletter; applications because you want to enter into an agreement with us; referral
        addresses because one invitation is in the interest of the person who sends it, as long as the person
        who gets it does not object.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    content: (
      <ul>
        <li>A guest who has not come back for 13 months is removed.</li>
        <li>
          A newsletter address: until you unsubscribe, which removes it at once. An address that nobody
          confirms: at most 33 days after it was last entered. Our confirmation mail may be delayed by up to
          30 days, and its link works for two.
        </li>
        <li>
          A referral: 13 months, so that we can agree on your reward; one that its sender does not confirm: 30
          days, or until its last link has run out. An invited address: 13 months after the invitation.
        </li>
        <li>An application to become a partner: three years.</li>
        <li>
          What we take for spam: 30 days from when we did. Anything longer than it says here only as far as
          the law obliges us to.
        </li>
        <li>Your browser’s share: as the cookie policy says, and whenever you clear it yourself.</li>
      </ul>
    ),
  },
  {
    id: 'where',
    title: 'Where it is',
    content: (
      <p>
        In our own databases, at our hosting provider. Nobody else receives the data, except those who run
        this infrastructure for us and may use it for nothing else, and authorities where the law obliges us.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    content: (
      <>
        <p>
          Ask us at any time what we hold about you, have it corrected or deleted, get a copy of it, restrict
          or object to its use, or take back a consent. Write to <MailLink />; it costs nothing. You can also
          complain to the data protection authority where you live.
        </p>
        <p>
          What you sent us we find by your email address. As a guest is anonymous, we can find yours only by
          its id. Clearing this site’s cookies in your browser parts you from it for good.
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
    content: <p>When the site changes what it does with data, this page changes with it.</p>,
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
      lead="What this site knows about your visit, what it is for, and what you can ask of us. In short: very little, and nothing for anyone else."
      summary={
        <KeyTerms
          terms={[
            { value: '0', label: 'Third parties on our pages', section: 'not' },
            { value: '1 id', label: 'Random, in a cookie', section: 'guest' },
            { value: '13 months', label: 'Then an absent guest is removed', section: 'retention' },
          ]}
        />
      }
      sections={sections}
    />
  );
}
