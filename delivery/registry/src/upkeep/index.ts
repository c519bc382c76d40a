export { keepAnchored } from './anchor-job.ts';
export { type AuditAnchors, createAuditAnchors } from './audit-anchors.ts';
export {
  type AuditKey,
  AuditKeySchema,
  AuditPublicKeySchema,
  createAuditKey,
  keptAuditSecret,
} from './audit-key.ts';
export { upkeepRoutes } from './upkeep.routes.ts';
