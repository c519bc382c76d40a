import { runProcess } from '@site/server/run-process';
import { readLocalConfig } from './config.ts';
import { localTokens } from './local-tokens.ts';
import { siteConfig, startServices } from './services.ts';
import { createStack } from './stack.ts';

/** Gateway and forms in a process of their own, which `npm run dev` exchanges when their sources change. */
await runProcess(async () => {
  const config = readLocalConfig(process.env);
  const stack = createStack();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  try {
    const tokens = await localTokens(config.dataDir);
    await startServices(config, siteConfig(config), stack, tokens.admin);
    process.send?.('ready');
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
});
