/** The script of a remote that is loaded first, before its name has a hash: as the build writes it, and a dev server serves it. */
export const REMOTE_ENTRY = 'remoteEntry.js';
