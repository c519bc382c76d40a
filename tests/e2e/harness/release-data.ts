import { readBootData } from '@site/build/dev-document';
import { STATE_PATH, type BootData, type TableAnswer } from '@site/contract';

/** The data of a site's home page, with its release's routes, remotes and redirects. */
export async function releaseData(
  origin: string,
  read = async (path: string) => (await fetch(origin + path)).text(),
): Promise<BootData & TableAnswer> {
  const boot = readBootData(await read('/home'));
  return { ...boot, ...(JSON.parse(await read(STATE_PATH)) as TableAnswer) };
}
