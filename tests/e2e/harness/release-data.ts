import { readBootData } from '@site/build/dev-document';
import type { BootData, BootTable } from '@site/contract';

/** The release data of a site's home page, with the routes, remotes and redirects of the table file that it names. */
export async function releaseData(
  origin: string,
  read = async (path: string) => (await fetch(origin + path)).text(),
): Promise<BootData> {
  const boot = readBootData(await read('/home'));
  return boot.table ? { ...boot, ...(JSON.parse(await read(boot.table.url)) as BootTable) } : boot;
}
