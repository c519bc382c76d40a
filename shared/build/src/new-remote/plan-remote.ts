import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { CardTextSchema, RemoteConfigSchema, type RemoteConfig } from '@site/contract';
import { loadApp } from '../app.ts';

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

/**
 * Checks a new remote against the rules of the contract and against the remotes that this checkout has.
 *
 * @throws NewRemoteError with everything that is wrong.
 */
export async function planRemote(root: string, asked: NewRemote): Promise<RemotePlan> {
  const { name, owner, path } = asked;
  const title = asked.title ?? titleOf(path);
  const slug = path.split('/').filter(Boolean).join('-');
  const page = { path, page: `./src/pages/${slug}-page.tsx` };
  const problems = [
    ...configProblems({ name, owner, pages: [page], redirects: [] }),
    ...titleProblems(title),
    ...(existsSync(join(root, name)) ? [`The folder "${name}" exists already. Choose another name.`] : []),
    ...(await claims(root, path)),
  ];
  if (problems.length > 0) throw new NewRemoteError(problems.join('\n'));
  return { name, owner, path, slug, title };
}

const FLAGS: Record<string, string> = { name: 'The name', owner: '--owner', pages: '--path' };

function configProblems(config: RemoteConfig): string[] {
  const { issues = [] } = v.safeParse(RemoteConfigSchema, config);
  // A path that is wrong makes the module's name wrong, too.
  const own = issues.filter((issue) => !v.getDotPath(issue)?.endsWith('.page'));
  return own.map((issue) => {
    const field = v.getDotPath(issue)?.split('.')[0] ?? 'name';
    return `${FLAGS[field] ?? field} ${JSON.stringify(issue.input)}: ${issue.message}`;
  });
}

function titleProblems(title: string): string[] {
  const { issues = [] } = v.safeParse(CardTextSchema, title);
  const markup = /["'`\\<>{}$&]/.test(title)
    ? ['It goes into source files: no quotes, brackets, "\\", "$" or "&".']
    : [];
  const rules = issues.map(({ type, message }) =>
    type === 'min_length'
      ? 'It is too short to stand on the card of the page. Give one of at least 3 characters with --title, such as "Careers".'
      : message,
  );
  return [...rules, ...markup].map((message) => `--title ${JSON.stringify(title)}: ${message}`);
}

/** Who has the path already, among the remotes of this checkout. The registry asks the live ones at publishing. */
async function claims(root: string, path: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('mfe-'));
  const problems: string[] = [];
  for (const { name } of names) {
    const { remote } = await loadApp(join(root, name));
    const kind = remote?.pages.some((page) => page.path === path)
      ? 'a page of'
      : remote?.redirects.some(({ from }) => from === path)
        ? 'a redirect of'
        : null;
    if (kind) {
      problems.push(
        `--path "${path}": it is ${kind} ${name}, which belongs to ${remote?.owner ?? ''}. Choose another path, or ask them to give it up.`,
      );
    }
  }
  return problems;
}

function titleOf(path: string): string {
  const words = (path.split('/').at(-1) ?? '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
