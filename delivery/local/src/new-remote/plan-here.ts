import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadApp } from '@site/build/app';
import { localApps } from '@site/cli/repository';
import { planRemote, type NewRemote, type RemotePlan } from '@site/create-remote/plan-remote';

/** Checks the contract's rules and the existing remotes. @throws NewRemoteError with all errors. */
export async function planHere(root: string, asked: NewRemote): Promise<RemotePlan> {
  const { name, path } = asked;
  return planRemote(asked, [
    ...(existsSync(join(root, name))
      ? [`The folder "${name}" exists already. Choose another name, or remove the folder.`]
      : []),
    ...(await claims(root, path)),
  ]);
}

async function claims(root: string, path: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, folder } of localApps(root)) {
    if (name === 'shell') continue;
    const { remote } = await loadApp(folder);
    const kind = remote?.pages.some((page) => page.path === path)
      ? 'a page of'
      : remote?.redirects.some(({ from }) => from === path)
        ? 'a redirect of'
        : null;
    if (kind) {
      problems.push(
        `--path "${path}": it is ${kind} ${name}, which belongs to ${remote?.owner ?? ''}. Choose another path, ` +
          'or ask them to give it up.',
      );
    }
  }
  return problems;
}
