import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { Composer } from '@site/composer/create-composer';
import type { ChannelName } from '@site/contract';
import type { Turns } from '@site/server/turns';
import type { AuditAnchors } from '../audit/audit-anchors.ts';
import type { AskFormContracts } from '../clients/forms-service.ts';
import type { InboxService } from '../clients/inbox-service.ts';
import type { RegistryDb } from '../database/tables.ts';
import type { RegistryMetrics } from '../telemetry/registry-metrics.ts';
import type { RegistryLimits } from './limits.ts';
import type { UploadAllowance } from './upload-allowance.ts';

/** A store that can be asked about many blobs at once. */
export interface ProtectedStore extends ArtifactStore {
  /** From now on these count as missing, until they are uploaded again: their stored bytes are wrong. */
  markDamaged(integrities: readonly string[]): Promise<void>;
  /**
   * A `put` for many blobs at a time, which share the commits to the database. One client's blobs only: they wait for each other's
   * deletions, and fail together.
   */
  createBulkPut(): ArtifactStore['put'];
  /**
   * Those of the blobs that are not stored, with one query for all of them.
   *
   * @param options `mayBeAway`: a blob that the store gives no answer for counts as stored.
   */
  missing(integrities: Iterable<string>, options?: { mayBeAway?: boolean }): Promise<Set<string>>;
}

/** What the use cases work with. */
export interface RegistryContext {
  db: RegistryDb;
  store: ProtectedStore;
  composer: Composer;
  /** All compressing of this process waits here. */
  compressing: Turns;
  /** All searching of pages for links waits here. */
  searching: Turns;
  anchors: AuditAnchors;
  /** The secret that belongs to a salt. Answers are kept for retries with the salt, never with the secret. */
  secretOf(salt: string): string;
  askForms: AskFormContracts;
  /** Who has what visitors sent; null: this registry is not told where that is. */
  inbox: InboxService | null;
  limits: RegistryLimits;
  uploads: UploadAllowance;
  metrics: RegistryMetrics;
  now(): Date;
}

/** The channel that "live" means for whoever publishes: what visitors see. */
export const LIVE_CHANNEL: ChannelName = 'production';
