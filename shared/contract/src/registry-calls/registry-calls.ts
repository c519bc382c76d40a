import { alertCalls } from './alert.calls.ts';
import { appCalls } from './app.calls.ts';
import { blobCalls } from './blob.calls.ts';
import { channelCalls } from './channel.calls.ts';
import { edgeCalls } from './edge.calls.ts';
import { guardCalls } from './guard.calls.ts';
import { inboxCalls } from './inbox.calls.ts';
import { previewCalls } from './preview.calls.ts';
import { releaseCalls } from './release.calls.ts';
import { sessionCalls } from './session.calls.ts';
import { trustCalls } from './trust.calls.ts';
import { upkeepCalls } from './upkeep.calls.ts';
import { versionCalls } from './version.calls.ts';
import { viewCalls } from './view.calls.ts';

/** Written out, because TypeScript cannot write the inferred type to a declaration file. */
export type RegistryCalls = typeof blobCalls &
  typeof appCalls &
  typeof versionCalls &
  typeof channelCalls &
  typeof releaseCalls &
  typeof edgeCalls &
  typeof guardCalls &
  typeof alertCalls &
  typeof previewCalls &
  typeof upkeepCalls &
  typeof trustCalls &
  typeof sessionCalls &
  typeof viewCalls &
  typeof inboxCalls;

/**
 * All calls of the registry by name: the single source of its routes, validation, authorization and API
 * document, and of its clients.
 */
export const registryCalls: RegistryCalls = {
  ...blobCalls,
  ...appCalls,
  ...versionCalls,
  ...channelCalls,
  ...releaseCalls,
  ...edgeCalls,
  ...guardCalls,
  ...alertCalls,
  ...previewCalls,
  ...upkeepCalls,
  ...trustCalls,
  ...sessionCalls,
  ...viewCalls,
  ...inboxCalls,
};
