export { canaryVersion, withCanaries } from './canary.ts';
export { changeShare } from './change-share.ts';
export { type ChannelEtags, createChannelEtags } from './channel-etags.ts';
export { createChannelEvents } from './channel-events.ts';
export { channelState } from './channel-state.repository.ts';
export { canaryShare, type ChannelSnapshot, findChannel, type StoredCanary } from './channel.repository.ts';
export { channelRoutes } from './channel.routes.ts';
export { edgeAnswer, releasesText } from './edge-answer.ts';
export { listFreezes } from './freeze.repository.ts';
export { appsEverLive, formerVersions, newlyLive, selectRetirements } from './live-version.repository.ts';
export {
  type PreviewRow,
  endOne,
  findPreview,
  findPreviewByHash,
  insertPreview,
  listPreviews,
} from './preview.repository.ts';
export { promoteCanary } from './promote-canary.ts';
export { quarantineVersion, unquarantineVersion } from './quarantine-version.ts';
export { type Quarantine, findQuarantines, quarantined } from './quarantine.repository.ts';
export { notRegistered, refuseQuarantined, requireApp } from './refusals.ts';
export { releaseDocument } from './release-document.ts';
export {
  type StoredRelease,
  findLive,
  findRelease,
  releaseGap,
  releaseId,
  skipReleases,
} from './release.repository.ts';
export { releaseRoutes } from './release.routes.ts';
export { keepCanariesRendered } from './render-canaries.ts';
export { repairPages } from './repair-pages.ts';
export { rollBack } from './roll-back.ts';
