import type { FormName } from '@site/contract';
import type { ApiError } from '@site/server/api-error';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import type { PostProblem } from './read-form-post.ts';

/** Where each form stands on the site. */
const places: Record<FormName, string> = {
  newsletter: '/home',
  referral: '/partners#refer',
  'partner-application': '/partners#apply',
};

const thanks: Record<FormName, { title: string; text: string }> = {
  newsletter: { title: 'Thank you. You are subscribed.', text: 'The next letter comes to your inbox.' },
  referral: {
    title: 'Your referral is on its way',
    text: 'Each address gets one invitation with your message. Thank you for passing it on.',
  },
  'partner-application': {
    title: 'We have your application',
    text: 'We read each one and answer by email to the address you gave.',
  },
};

/** A form has arrived. */
export function receivedPage(form: FormName, site: string | null): Page {
  const { title, text } = thanks[form];
  return {
    status: 200,
    title,
    body: html`<p>${text}</p>
      ${back(site, places[form], 'Back to the site')}`,
  };
}

/** What to correct. The form itself is one step back, as it was filled in. */
export function problemsPage(form: FormName, problems: PostProblem[], site: string | null): Page {
  return {
    status: 422,
    title: 'Please correct the form',
    body: html`<p>Nothing was sent yet:</p>
      <ul>
        ${problems.map(({ field, message }) => html`<li><strong>${field}</strong>: ${message}</li> `)}
      </ul>
      <p>Go back with your browser’s Back button: what you filled in is still there.</p>
      ${back(site, places[form], 'Open the form anew')}`,
  };
}

/** Any other failure of a page. */
export function errorPage({ status, title, detail, headers }: ApiError, site: string | null): Page {
  return {
    status,
    title,
    headers,
    body: html`<p>${detail}</p>
      <p>Your browser’s Back button leads to what you filled in.</p>
      ${back(site, '/home', 'Back to the site')}`,
  };
}

function back(site: string | null, path: string, text: string): Html {
  return site === null ? html`` : html`<p><a href="${site}${path}">${text}</a></p>`;
}
