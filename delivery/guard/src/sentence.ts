import { engineName } from './engines.ts';
import type { Count } from './evidence.ts';
import type { Question } from './questions.ts';
import type { Evidence, Lacking } from './verdict.ts';

export interface Names {
  judged: string;
  control: string;
  message?: string;
  limits?: readonly { judged: number; control: number }[];
}

/**
 * For example: /blocks failed (browsers reported 'x is undefined') in 41 of 188 views with 1.0.0-abc, in 0 of 1,702
 * with 1.0.0-def.
 */
export function describeEvidence(
  { question, route, engine, only, judged, control }: Evidence,
  names: Names,
): string {
  const unit = question === 'form' ? 'attempts' : 'views';
  const others =
    control.views === 0
      ? 'and there is nothing to compare it with'
      : `in ${ratio(control)} with ${names.control}`;
  const counts = `in ${ratio(judged)} ${unit} with ${names.judged}, ${others}`;
  const where = engine ? ` ${only ? 'only ' : ''}in ${engineName(engine)},` : '';
  return `${describeQuestion(question, route, names)}${where} ${counts}`;
}

function describeQuestion(
  question: Question,
  route: string | undefined,
  { message, limits, judged }: Names,
): string {
  const place = route ?? 'The site';
  const failed = message === undefined ? 'failed' : `failed (browsers reported '${message}')`;
  switch (question) {
    case 'fault':
      return `${place} ${failed}`;
    case 'late-fault':
      return `${place} ${failed} while it was used`;
    case 'form':
      return `On ${route ?? 'all pages'} a form could not be sent`;
    case 'lcp':
    case 'inp':
    case 'interactive': {
      const time = question === 'interactive' ? 'time to interactive' : question.toUpperCase();
      return `${place} was slow (${time} above ${limitText(judged, limits)})`;
    }
  }
}

function limitText(judged: string, limits: Names['limits'] = []): string {
  const [first] = limits;
  if (!first) return 'what a quarter of the views had before';
  const times = limits.map(({ control }) => Math.round(control));
  const range = [...new Set([Math.min(...times), Math.max(...times)])].map(thousands).join(' to ');
  const tolerated = Math.round((first.judged / first.control - 1) * 100);
  return `${range} ms, with ${tolerated} % tolerated for ${judged}`;
}

/** The missing data for a verdict, for example: at least 40 more views and views from 2 more networks. */
export function missingFor({ views, networks }: Lacking): string {
  const parts = [
    ...(views > 0 ? [`at least ${more(views, 'view')}`] : []),
    ...(networks > 0 ? [`views from ${more(networks, 'network')}`] : []),
  ];
  return parts.join(' and ') || 'more evidence';
}

export const more = (count: number, what: string): string =>
  `${thousands(count)} more ${what}${count === 1 ? '' : 's'}`;

const ratio = ({ yes, views }: Count) => `${thousands(yes)} of ${thousands(views)}`;

const thousands = (count: number) => count.toLocaleString('en-US');
