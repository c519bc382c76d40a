import { edgeAddresses, type Preview } from '@site/contract';
import { answerStatus } from '@site/contract/http';
import { escapeText } from '@site/contract/text';
import type { EdgePage } from '../pages/edge-page.ts';

export type PreviewProblem = 'invalid' | 'over' | 'unavailable' | 'busy' | 'not-pressed' | 'insecure';

const problems: Record<PreviewProblem, { status: number; title: string; text: string }> = {
  invalid: {
    status: 403,
    title: 'This preview link is not valid',
    text: 'It is incomplete, or was not made for this site. Copy the whole link, or ask for a new one.',
  },
  over: {
    status: 403,
    title: 'This preview has ended',
    text: 'It has expired or was revoked. Ask the person who sent it for a new link.',
  },
  unavailable: {
    status: answerStatus.dependencyDown,
    title: 'This preview is not available right now',
    text: 'Part of what it needs cannot be reached. Please try again in a moment.',
  },
  busy: {
    status: answerStatus.limitReached,
    title: 'Too many previews were requested',
    text: 'Please try again in a minute.',
  },
  'not-pressed': {
    status: 403,
    title: 'This preview was not started here',
    text:
      'Previews start only when you open the link yourself and press “Show the preview” there. ' +
      'Your browser must be able to ' +
      'prove it, which all browsers since 2023 can.',
  },
  insecure: {
    status: 403,
    title: 'This site cannot show previews',
    text:
      'Its address begins with http://. Browsers keep the preview cookie only for https:// ' +
      'addresses, and for http://localhost ' +
      'on the machine itself.',
  },
};

export function previewProblemPage(problem: PreviewProblem): EdgePage {
  const { status, title, text } = problems[problem];
  const html = `<p>${text}</p><p><a href="${edgeAddresses.leavePreview}">To the site</a></p>`;
  return { status, title, html };
}

/**
 * A preview's code runs on the site's origin, so a link alone must not start it. The form posts to its own URL, which
 * contains the id.
 * @param confirmation proves that this page was shown; null if a script could read it.
 */
export function previewConfirmationPage(preview: Preview, confirmation: string | null): EdgePage {
  const until = preview.expiresAt;
  const field =
    confirmation === null ? '' : `<input type="hidden" name="confirmation" value="${confirmation}">`;
  return {
    status: 200,
    title: previewTitle(preview),
    heading: previewHeading(preview),
    html:
      `<p>You will see this site with an unreleased change until <time datetime="${until}">` +
      `${until.slice(0, 16).replace('T', ' ')} UTC</time>. In this browser, it can do whatever the site can, ` +
      'so continue only if you know who sent you the link.</p>' +
      `<form method="post">${field}<button>Show the preview</button></form>` +
      '<p><a href="/">To the site as it is</a></p>',
  };
}

export function previewTitle({ app, version, dev }: Preview): string {
  return dev === null ? `Preview of ${app}@${version}` : `Preview of ${app} from ${dev}`;
}

/** With line breaks only between names. */
function previewHeading({ app, version, dev }: Preview): string {
  const whole = (text: string) => `<span>${escapeText(text)}</span>`;
  return dev === null
    ? `Preview of ${whole(`${app}@`)}<wbr>${whole(String(version))}`
    : `Preview of ${whole(app)} from ${escapeText(dev)}`;
}
