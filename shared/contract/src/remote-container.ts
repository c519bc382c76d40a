import { assetUrl, type BootRemote } from './boot-data.ts';

/** The unhashed name of a remote's entry script, in the build and on a dev server. */
export const REMOTE_ENTRY = 'remoteEntry.js';

export function containerName(app: string): string {
  return app.replaceAll('-', '_');
}

export function moduleKey(page: string): string {
  return `./${page.slice(page.lastIndexOf('/') + 1).replace(/\.tsx$/, '')}`;
}

/**
 * A remote on a dev server: unhashed and unverified.
 * @param origin of the dev server, for documents from another origin.
 */
export function devRemote(app: string, origin = ''): BootRemote {
  return {
    name: app,
    version: 'dev',
    entry: origin + assetUrl(app, REMOTE_ENTRY),
    integrity: '',
    scripts: [],
    dev: true,
  };
}
