import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadApp } from '@site/build/app';
import { planRemote, type NewRemote, type RemotePlan } from '@site/create-remote/plan-remote';

/**
 * Checks a new remote of this repository against the rules of the contract and against the remotes that there are.
 *
 * @throws NewRemoteError with everything that is wrong.
 */
export async function planHere(root: string, asked: NewRemote): Promise<RemotePlan> {
  const { name, path } = asked;
  return planRemote(asked, [
    ...(existsSync(join(root, name)) ? [`The folder "${name}" exists already. Choose another name.`] : []),
    ...(await claims(root, path)),
  ]);
}

/** Who has the path already, among the remotes of this repository. The registry asks the live ones at publishing. */
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
