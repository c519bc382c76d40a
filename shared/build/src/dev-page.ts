/**
 * The page's own script in development: webpack-dev-server's client is added to it, which shows what the checks of types and
 * configuration say. What remotes and shell say, their own clients show.
 */
let wasAway = false;

addEventListener('message', ({ source, data }: MessageEvent<{ type?: string } | null>) => {
  if (source !== window) return;
  // Other pages may be there, and other apps: the document says which.
  if (data?.type === 'webpackClose') wasAway = true;
  else if (wasAway && /^webpack(?:Ok|StillOk|Warnings|Errors)$/.test(data?.type ?? '')) location.reload();
  // What has failed has left nothing behind that could be exchanged.
  else if (data?.type === 'webpackOk' && document.querySelector('[data-testid="error-panel"]'))
    location.reload();
});

export {};
