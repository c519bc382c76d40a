/** The unhashed name of a remote's entry script, in the build and on a dev server. */
export const REMOTE_ENTRY = 'remoteEntry.js';
