import { assetUrl, type BootRemote } from './boot-data.ts';
import { REMOTE_ENTRY } from './remote-entry.ts';

/**
 * A remote as a dev server serves it: nothing hashed, nothing checked.
 *
 * @param origin of the dev server, for documents that come from elsewhere.
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
