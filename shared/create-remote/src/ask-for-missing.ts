import { basename } from 'node:path';
import { needsTitle, NewRemoteError, fieldProblem, type Field, type NewRemote } from './plan-remote.ts';

/** Prompts until the input is valid. */
type Prompt = (field: Field, message: string, suggestion?: string) => Promise<string>;

export async function askForMissing(
  given: Partial<NewRemote>,
  folder: string,
  prompt: Prompt | null,
): Promise<NewRemote> {
  const missing = (['name', 'owner', 'path'] as const).filter((field) => given[field] === undefined);
  if (prompt === null) {
    const { name, owner, path } = given;
    if (name !== undefined && owner !== undefined && path !== undefined)
      return { name, owner, path, title: given.title };
    throw new NewRemoteError(
      `Pass ${missing.map((field) => `--${field}`).join(', ')} as well: there is no terminal for prompts.`,
    );
  }
  const name = given.name ?? (await prompt('name', 'Name of the remote', suggestedName(folder)));
  const owner = given.owner ?? (await prompt('owner', 'Team that owns it'));
  const path = given.path ?? (await prompt('path', 'Path of its page', `/${name.replace(/^mfe-/, '')}`));
  const title = given.title ?? (needsTitle(path) ? await prompt('title', 'Title of the page') : undefined);
  return { name, owner, path, title };
}

function suggestedName(folder: string): string | undefined {
  const name = basename(folder).replace(/^(?!mfe-)/, 'mfe-');
  return fieldProblem('name', name) === null ? name : undefined;
}
