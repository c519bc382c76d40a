import { edgeAddresses, type Preview } from '@site/contract';
import { answerStatus } from '@site/contract/answer-status';
import { escapeText } from '@site/contract/escape-html';
import type { EdgePage } from '../documents/edge-page.ts';

/** Why a preview link is not answered with the site. */
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
      'Only a person starts it: open its link yourself and press “Show the preview” there. The browser must be able to ' +
      'say that you did, as those since 2023 are.',
  },
  insecure: {
    status: 403,
    title: 'This site cannot show previews',
    text:
      'Its address begins with http://. Browsers keep the cookie of a preview for https:// only, and for http://localhost ' +
      'on the machine itself.',
  },
};

/** A page that says what is wrong with a preview link. */
export function previewProblemPage(problem: PreviewProblem): EdgePage {
  const { status, title, text } = problems[problem];
  const html = `<p>${text}</p><p><a href="${edgeAddresses.leavePreview}">To the site</a></p>`;
  return { status, title, html };
}

/**
 * Asks whether to show a preview: its code acts as the site does, so a link alone must not start it. The form leads to the
 * address that it stands at, where the id is already.
 */
export function askForPreviewPage(preview: Preview): EdgePage {
  const until = preview.expiresAt;
  return {
    status: 200,
    title: previewTitle(preview),
    heading: headingOf(preview),
    html:
      `<p>You get this site with something that is not released yet, until <time datetime="${until}">` +
      `${until.slice(0, 16).replace('T', ' ')} UTC</time>. It can do in this browser whatever the site can, ` +
      'so go on only if you know who sent you the link.</p>' +
      '<form method="post"><button>Show the preview</button></form>' +
      '<p><a href="/">To the site as it is</a></p>',
  };
}

/** What a preview is of. */
export function previewTitle({ app, version, dev }: Preview): string {
  return dev === null ? `Preview of ${app}@${version}` : `Preview of ${app} from ${dev}`;
}

/** The same, with its names kept in one piece each. */
function headingOf({ app, version, dev }: Preview): string {
  const whole = (text: string) => `<span>${escapeText(text)}</span>`;
  return dev === null
    ? `Preview of ${whole(`${app}@`)}<wbr>${whole(String(version))}`
    : `Preview of ${whole(app)} from ${escapeText(dev)}`;
}
