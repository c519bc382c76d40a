import * as v from 'valibot';
import { CardTextSchema, RemoteConfigSchema, type RemoteConfig } from '@site/contract';

/** What a team asks for. */
export interface NewRemote {
  name: string;
  owner: string;
  path: string;
  /** What the page is called. Default: made of the last word of the path. */
  title?: string | undefined;
}

/** A remote that can be made. */
export interface RemotePlan extends Required<NewRemote> {
  /** The last segments of the path, joined: names the page's files and its module. */
  slug: string;
  title: string;
}

/** The remote cannot be made as it was asked for. The message says what to change; nothing was written. */
export class NewRemoteError extends Error {
  override name = 'NewRemoteError';
}

/** What is asked for, as messages name it. */
const FIELDS = { name: '--name', owner: '--owner', path: '--path' } as const;
export type Field = keyof typeof FIELDS | 'title';

/**
 * Checks a new remote against the rules of the contract.
 *
 * @param further what else is wrong, as the caller knows it.
 * @throws NewRemoteError with everything that is wrong.
 */
export function planRemote(asked: NewRemote, further: readonly string[] = []): RemotePlan {
  const { name, owner, path } = asked;
  const title = asked.title ?? titleOf(path);
  const ofConfig = configProblems(asked);
  // A title that is made of a wrong path is wrong for that alone.
  const isTitleKnown = asked.title !== undefined || !ofConfig.some(({ field }) => field === 'path');
  const problems = [
    ...ofConfig.map(({ field, value, message }) => `${FIELDS[field]} "${value}": ${message}`),
    ...(isTitleKnown ? titleProblems(title) : []).map(
      (message) => `--title ${JSON.stringify(title)}: ${message}`,
    ),
    ...further,
  ];
  if (problems.length > 0) throw new NewRemoteError(problems.join('\n'));
  return { name, owner, path, slug: slugOf(path), title };
}

/** What is wrong with one of the answers; null when nothing is. */
export function problemOf(field: Field, value: string): string | null {
  if (field === 'title') return titleProblems(value)[0] ?? null;
  const asked = { name: 'mfe-x', owner: 'x', path: '/x-page', [field]: value };
  return configProblems(asked).find((each) => each.field === field)?.message ?? null;
}

/** Whether a path makes no title, such as "/hr", which is too short for a card: then one has to be given. */
export function needsTitle(path: string): boolean {
  return problemOf('path', path) === null && problemOf('title', titleOf(path)) !== null;
}

function configProblems(asked: NewRemote): { field: keyof typeof FIELDS; value: string; message: string }[] {
  const { name, owner, path } = asked;
  const page = { path, page: `./src/pages/${slugOf(path)}-page.tsx` };
  const config: RemoteConfig = { name, owner, pages: [page], redirects: [] };
  const { issues = [] } = v.safeParse(RemoteConfigSchema, config);
  // A path that is wrong makes the module's name wrong, too.
  const own = issues.filter((issue) => !v.getDotPath(issue)?.endsWith('.page'));
  return own.map((issue) => {
    const key = v.getDotPath(issue)?.split('.')[0];
    const field = key === 'owner' ? 'owner' : key === 'pages' ? 'path' : 'name';
    return { field, value: asked[field], message: issue.message };
  });
}

function titleProblems(title: string): string[] {
  const { issues = [] } = v.safeParse(CardTextSchema, title);
  const markup = /["'`\\<>{}$&]/.test(title)
    ? ['It goes into source files: no quotes, brackets, "\\", "$" or "&".']
    : [];
  const rules = issues.map(({ type, message }) =>
    type === 'min_length'
      ? 'It is too short for the card of the page. Give at least 3 characters, such as "Careers".'
      : message,
  );
  return [...rules, ...markup];
}

function slugOf(path: string): string {
  return path.split('/').filter(Boolean).join('-');
}

function titleOf(path: string): string {
  const words = (path.split('/').at(-1) ?? '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
