export { createSearchingTurns, findLinkingPages } from './linking-pages.ts';
export { type ReleaseSet, fittingBeside, loadReleaseSet, refuseTaken } from './release-set.ts';
export {
  type RenderOptions,
  type RenderedSet,
  isRendered,
  renderMissing,
  renderUnrecorded,
} from './render-missing.ts';
export {
  type RenderedEntry,
  findRendered,
  forgetPages,
  forgetRendered,
  insertRendered,
  pagesInPack,
  pagesOfVersion,
  replacePack,
} from './rendered-page.repository.ts';
export { findRenderedPages, saveWeights } from './rendered-pages.ts';
export { type WeighedDocument, weighDocuments } from './weigh-documents.ts';
