import { untilPainted } from './boot/until-painted.ts';
import './static/static-files.ts';
import { keepNoticed } from './signals/noticed.ts';

async function start(): Promise<void> {
  const noticed = keepNoticed();
  await untilPainted();
  // In the same file, but not evaluated before this point.
  const { boot } = await import(/* webpackMode: "eager" */ './boot/boot.tsx');
  await boot(noticed);
}
// `static/browser-check.js` marks older browsers, which keep the prerendered page. A failure is treated like an earlier
// uncaught error. `static/not-started.js` reports both.
if (!('unsupported' in document.documentElement.dataset)) start().catch(reportError);
