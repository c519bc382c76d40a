import { join } from 'node:path';
import { loadAnew } from '@site/build/dev-apps';
import type { LiveForm } from '@site/contract';
import { runProcess } from '@site/server/run-process';
import { readLocalConfig } from './config.ts';
import { expectedErrors } from './expected-errors.ts';
import { localTokens } from './local-tokens.ts';
import { appFolders, root } from './paths.ts';
import { openSiteDatabase, siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** Gateway and forms in a separate process, which `npm run dev` restarts when their sources change. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const stack = createStack();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    const tokens = await localTokens(config.dataDir);
    const site = siteConfig(config);
    // Nothing is published here: every form in the sources is accepted.
    const ask = async () => ({ forms: await declaredInSources(), brand: site.brand });
    const database = await openSiteDatabase(stack, config);
    await startServices(stack, { config, database, site, tokens, live: { ask } });
    process.send?.('ready');
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}, expectedErrors);

async function declaredInSources(): Promise<LiveForm[]> {
  const loaded = await Promise.all(appFolders().map((folder) => loadAnew(join(root, folder))));
  const apps = loaded.map((one) => {
    if ('problem' in one) throw new Error(one.problem);
    return one.app;
  });
  return apps.flatMap(({ name, packageVersion, remote }) =>
    (remote?.forms ?? []).map((form) => ({ app: name, version: packageVersion, until: null, form })),
  );
}
