import { isSupportedBrowser } from './boot/is-supported-browser.ts';
import { untilPainted } from './boot/until-painted.ts';
import './static/static-files.ts';
import { keepNoticed } from './signals/noticed.ts';

const noticed = keepNoticed();

async function start(): Promise<void> {
  await untilPainted();
  // In the same file, but nothing of it is evaluated before.
  const { boot } = await import(/* webpackMode: "eager" */ './boot/boot.tsx');
  await boot(noticed);
}
// Older browsers keep the prerendered page, whose links and forms work without a script.
// A failure is treated like an earlier uncaught error; `static/not-started.js` reports both.
if (isSupportedBrowser()) start().catch(reportError);
