/**
 * The page's script in development, bundled with webpack-dev-server's client, which shows errors of types and
 * configuration. Remotes and shell have their own clients for their errors.
 */
let wasAway = false;

addEventListener('message', ({ source, data }: MessageEvent<{ type?: string } | null>) => {
  if (source !== window) return;
  // Pages and apps may have changed, so load the document again.
  if (data?.type === 'webpackClose') wasAway = true;
  else if (wasAway && /^webpack(?:Ok|StillOk|Warnings|Errors)$/.test(data?.type ?? '')) location.reload();
  // After a failure there is no state to hot-reload.
  else if (data?.type === 'webpackOk' && document.querySelector('[data-testid="error-panel"]'))
    location.reload();
});

export {};
