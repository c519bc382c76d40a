import * as v from 'valibot';
import { CardTextSchema, RemoteConfigSchema, type RemoteConfig } from '@site/contract';

export interface NewRemote {
  name: string;
  owner: string;
  path: string;
  title?: string | undefined;
}

/** A valid new remote. */
export interface RemotePlan extends Required<NewRemote> {
  /** The last segments of the path, joined: the base name of the page's files and module. */
  slug: string;
  title: string;
}

/** Invalid input. The message contains the remedy; nothing was written. */
export class NewRemoteError extends Error {
  override name = 'NewRemoteError';
}

/** Option names for messages. */
const FIELDS = { name: '--name', owner: '--owner', path: '--path' } as const;
export type Field = keyof typeof FIELDS | 'title';

/**
 * Validates a new remote with the contract's rules.
 * @param further errors found by the caller.
 * @throws NewRemoteError with all errors.
 */
export function planRemote(asked: NewRemote, further: readonly string[] = []): RemotePlan {
  const { name, owner, path } = asked;
  const title = asked.title ?? pathTitle(path);
  const ofConfig = configProblems(asked);
  // A title derived from an invalid path is not reported separately.
  const isTitleKnown = asked.title !== undefined || !ofConfig.some(({ field }) => field === 'path');
  const problems = [
    ...ofConfig.map(({ field, value, message }) => `${FIELDS[field]} "${value}": ${message}`),
    ...(isTitleKnown ? titleProblems(title) : []).map(
      (message) => `--title ${JSON.stringify(title)}: ${message}`,
    ),
    ...further,
  ];
  if (problems.length > 0) throw new NewRemoteError(problems.join('\n'));
  return { name, owner, path, slug: pathSlug(path), title };
}

export function fieldProblem(field: Field, value: string): string | null {
  if (field === 'title') return titleProblems(value)[0] ?? null;
  const asked = { name: 'mfe-x', owner: 'x', path: '/x-page', [field]: value };
  return configProblems(asked).find((each) => each.field === field)?.message ?? null;
}

/** Whether a path such as "/hr" is too short for a title: then one is required. */
export function needsTitle(path: string): boolean {
  return fieldProblem('path', path) === null && fieldProblem('title', pathTitle(path)) !== null;
}

function configProblems(asked: NewRemote): { field: keyof typeof FIELDS; value: string; message: string }[] {
  const { name, owner, path } = asked;
  const page = { path, page: `./src/pages/${pathSlug(path)}-page.tsx` };
  const config: RemoteConfig = { name, owner, pages: [page], redirects: [] };
  const { issues = [] } = v.safeParse(RemoteConfigSchema, config);
  // An invalid path also makes the module's name invalid.
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
    ? ['It is inserted into source files: no quotes, brackets, "\\", "$" or "&".']
    : [];
  const rules = issues.map(({ type, message }) =>
    type === 'min_length'
      ? 'It is too short for the card of the page. Give at least 3 characters, such as "Careers".'
      : message,
  );
  return [...rules, ...markup];
}

function pathSlug(path: string): string {
  return path.split('/').filter(Boolean).join('-');
}

function pathTitle(path: string): string {
  const words = (path.split('/').at(-1) ?? '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
