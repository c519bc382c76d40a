import { Link } from '@site/kit';
import { DataTable } from '@site/ui/data-table';
import { PolicyPage, type PolicySection } from '../layout/policy-page.tsx';

const sections: readonly PolicySection[] = [
  {
    id: 'what',
    title: 'What this is about',
    content: (
      <p>
        A cookie is a small text that a site stores in your browser, and that the browser sends back. Browsers
        have similar storage that is not sent anywhere, such as local storage. This page lists everything this
        site keeps in any of them.
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
              'The signed token of your anonymous guest identity. Our services use it to recognize the same ' +
                'visitor and accept your forms.',
              '13 months after your last visit',
            ],
            [
              <code key="name">__Host-Http-bucket</code>,
              'Cookie (path /, HttpOnly)',
              'A random number from 0 to 9999. During a gradual release it decides which version of the site ' +
                'you see, so that you see the same one on every page. Set only during such a release.',
              '180 days',
            ],
            [
              <code key="name">__Host-Http-preview</code>,
              'Cookie (path /, HttpOnly)',
              'Shows an unreleased version of the site. Set only if you open a preview link from us.',
              'Until you leave the preview or its link expires, at most a week',
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
              'Your choice of the light or dark theme. Not set while you use your system’s theme.',
              'Until you choose “System” or clear it',
            ],
            [
              <code key="name">newsletter:…</code>,
              'Local storage',
              'A newsletter subscription that has not reached us yet, with your guest ID, to send it again.',
              'Until it reaches us, or after 10 retries',
            ],
            [
              <code key="name">form:…</code>,
              'Session storage',
              'Your input in a form, so that nothing is lost if you leave the page, and a random key, so that ' +
                'a retry does not store it twice.',
              'Until it reaches us or you close the tab',
            ],
            [
              <code key="name">scroll-positions</code>,
              'Session storage',
              'Your scroll position on each page, for the back button.',
              'Until you close the tab',
            ],
            [
              <code key="name">campaign</code>,
              'Session storage',
              'The campaign (utm_source and similar) and the referral code in the link you followed, if any. ' +
                'We pass them to our application when you sign up. The referral code tells it who invited ' +
                'you, and nothing about you.',
              'Until you close the tab',
            ],
          ]}
        />
        <p>All of these are first-party. There are no third-party cookies.</p>
        <p>
          The forms’ captcha stores nothing: your browser solves a small calculation when you send a form.
        </p>
      </>
    ),
  },
  {
    id: 'token',
    title: 'The cookie authToken',
    content: (
      <p>
        Its value contains a random ID and the token’s expiry time, signed by us, and nothing about who you
        are. The site renews expired tokens automatically. A browser without a token gets a new guest
        identity. See the <Link to="/policies/privacy#guest">privacy policy</Link>.
      </p>
    ),
  },
  {
    id: 'consent',
    title: 'Why there is no banner',
    content: (
      <p>
        Everything in the list except <code>campaign</code> serves a function you use: safe forms, one version
        of each page, your theme, the back button. <code>campaign</code> is for us and for the person who
        invited you: it contains the values from the link you followed, goes nowhere unless you continue to
        our application, and ends with the tab. Nothing in the list tracks you or shows you ads, so we do not
        ask. Browser reports about our pages store nothing on your device:{' '}
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
          You can view, delete and block this data in your browser’s settings. Every page and link works
          without it.
        </p>
        <p>
          Without it, you are a new guest at each visit, and the site forgets your theme and any pending
          subscription when you leave.
        </p>
      </>
    ),
  },
  {
    id: 'elsewhere',
    title: 'Other sites',
    content: (
      <p>
        Some links lead to sites with their own cookies: our application, the status page, the support center
        and social networks. This site loads nothing from them.
      </p>
    ),
  },
];

export default function CookiesPage() {
  return (
    <PolicyPage
      title="Cookie policy"
      lead="Everything this site keeps in your browser, its purpose, and how long it stays."
      sections={sections}
    />
  );
}
