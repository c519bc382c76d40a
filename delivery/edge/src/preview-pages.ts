import { compressBody, type Body } from './body.ts';
import { LEAVE_PREVIEW_PATH } from './document.ts';

/** Why a preview link is not answered with the site. */
export type PreviewProblem = 'invalid' | 'over' | 'unavailable';

const texts: Record<PreviewProblem, { status: number; title: string; text: string }> = {
  invalid: {
    status: 403,
    title: 'This preview link is not valid',
    text: 'It is incomplete, or was not made for this site. Copy the whole link, or ask for a new one.',
  },
  over: {
    status: 403,
    title: 'This preview link is over',
    text: 'It has expired or was taken back. Ask whoever sent it for a new one.',
  },
  unavailable: {
    status: 503,
    title: 'This preview is not available right now',
    text: 'Part of what it needs cannot be reached. Please try again in a moment.',
  },
};

/** A page that says what is wrong with a preview link. */
export async function previewProblemPage(problem: PreviewProblem): Promise<{ status: number; body: Body }> {
  const { status, title, text } = texts[problem];
  const body = await compressBody(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex">` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>` +
      `<body><h1>${title}</h1><p>${text}</p><p><a href="${LEAVE_PREVIEW_PATH}">To the site</a></p></body></html>\n`,
  );
  return { status, body };
}
