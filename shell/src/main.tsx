import '@site/ui/base.css';
import './static/static-files.ts';

/**
 * Running the code of React and of the shell takes a slow phone a quarter of a second. As two tasks, between which it
 * answers a touch.
 */
async function start(): Promise<void> {
  await import(/* webpackMode: "eager" */ 'react-dom/client');
  await new Promise((resolve) => setTimeout(resolve));
  const { boot } = await import(/* webpackMode: "eager" */ './boot/boot.tsx');
  await boot();
}

start().catch((error: unknown) => {
  console.error('The app failed to start.', error);
});
