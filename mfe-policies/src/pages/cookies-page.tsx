import { Link } from '@site/kit';
import { DataTable } from '@site/ui/data-table';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'what',
    title: 'What this is about',
    content: (
      <p>
        A cookie is a small text that a site keeps in your browser and that the browser sends back. Browsers
        have other places of the same kind, such as local storage, which is not sent anywhere. This page lists
        all that this site keeps in any of them.
      </p>
    ),
  },
  {
    id: 'list',
    title: 'The whole list',
    content: (
      <>
        <DataTable
          caption="What this site keeps in your browser"
          columns={['Name', 'Kind', 'What it is for', 'How long']}
          rows={[
            [
              <code key="name">authToken</code>,
              'Cookie (path /, Secure)',
              'Holds the signed token of your anonymous guest identity, so that our services recognize the ' +
                'same visitor and take your forms.',
              '13 months after your last visit',
            ],
            [
              <code key="name">__Host-Http-bucket</code>,
              'Cookie (path /, HttpOnly)',
              'A random number from 0 to 9999, drawn once. When a change of the site is released step by ' +
                'step, it decides whether you see the change already, and keeps that from changing with each ' +
                'page. Set only while there is such a release.',
              '180 days',
            ],
            [
              <code key="name">__Host-Http-preview</code>,
              'Cookie (path /, HttpOnly)',
              'Shows a version of the site that is not released yet. Set only for those who open a preview ' +
                'link that we gave them.',
              'Until the preview is left or its link expires, a week at most',
            ],
            [
              <code key="name">__Host-Http-cleared</code>,
              'Cookie (path /, HttpOnly)',
              'The time of a security incident after which we removed the data that this site kept in your ' +
                'browser, so that it happens once. Set only after such an incident.',
              '400 days',
            ],
            [
              <code key="name">theme</code>,
              'Local storage',
              'Remembers that you chose the light or the dark look. Not there as long as you follow your system.',
              'Until you choose “system” or clear it',
            ],
            [
              <code key="name">newsletter:…</code>,
              'Local storage',
              'Keeps a newsletter subscription that has not reached us yet, with your guest id, so that it can ' +
                'be sent again.',
              'Until it has arrived, or been tried again 10 times',
            ],
            [
              <code key="name">form:…</code>,
              'Session storage',
              'Keeps what you typed into a form until it has reached us, so that nothing is lost when you ' +
                'leave the page, and a random key, so that sending it again does not store it twice.',
              'Until it has arrived or you close the tab',
            ],
            [
              <code key="name">scroll-positions</code>,
              'Session storage',
              'Remembers how far down each page you were, for the back button.',
              'Until you close the tab',
            ],
            [
              <code key="name">campaign</code>,
              'Session storage',
              'Remembers the campaign in the address that you came by (utm_source and the like), and the ' +
                'code of an invitation that led you here, if there were any, and gives them to our ' +
                'application when you sign up. They say nothing about you; the code tells our application ' +
                'who invited you.',
              'Until you close the tab',
            ],
          ]}
        />
        <p>
          All of these are our own, and none is needed by anyone but this site. There are no third-party
          cookies.
        </p>
        <p>
          The captcha of the forms keeps nothing here: your browser solves a small calculation when you send a
          form, and forgets it.
        </p>
      </>
    ),
  },
  {
    id: 'token',
    title: 'The cookie authToken',
    content: (
      <p>
        Its value carries a random id and the time at which the token expires, signed by us. It says nothing
        about who you are. The site renews an expired token by itself; a browser that has none gets a new
        guest identity. More in the <Link to="/policies/privacy#guest">privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'consent',
    title: 'Why there is no banner',
    content: (
      <p>
        Everything in the list but <code>campaign</code> is needed for something that the site does for you:
        taking your forms safely, showing you one version of a page, looking as you chose, going back to where
        you were. <code>campaign</code> is for us and for the person who invited you: it keeps what stood in
        the link that you came by, is given to nobody unless you go on to our application, and ends with the
        tab. Nothing in the list follows you or advertises to you, so we do not ask. What your browser reports
        about our pages leaves nothing on your device:{' '}
        <Link to="/policies/privacy#pages">see the privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'control',
    title: 'How to remove or refuse them',
    content: (
      <>
        <p>
          Your browser’s settings show what this site keeps and remove it; they can also refuse it from the
          start. Every page can be read, and every link works, without any of it.
        </p>
        <p>
          Without the cookie <code>authToken</code> you are a new guest at each visit, and a chosen look or a
          waiting subscription is forgotten when you leave.
        </p>
      </>
    ),
  },
  {
    id: 'elsewhere',
    title: 'Other sites',
    content: (
      <p>
        Links lead to sites that keep cookies of their own: our application, where you sign up and log in, the
        status page, the support center, and social networks. Nothing of theirs is loaded here before you
        follow a link.
      </p>
    ),
  },
];

export default function CookiesPage() {
  return (
    <PolicyPage
      title="Cookie policy"
      lead="Everything this site keeps in your browser, what each of it is for, and how long it stays."
      sections={sections}
    />
  );
}
