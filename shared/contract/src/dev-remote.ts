import { assetUrl, type BootRemote } from './boot-data.ts';
import { REMOTE_ENTRY } from './remote-entry.ts';

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
