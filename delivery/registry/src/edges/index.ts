export { edgeState, edgeStates, isBehind, isSilent } from './edge-state.ts';
export { type EdgeReport, divergedEdges, listEdges } from './edge.repository.ts';
export { edgeRoutes } from './edge.routes.ts';
