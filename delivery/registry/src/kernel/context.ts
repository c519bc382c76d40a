import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { Composer } from '@site/composer/create-composer';
import type { ChannelName } from '@site/contract';
import type { Turns } from '@site/server/turns';
import type { AuditAnchors } from '../upkeep/index.ts';
import type { AskFormContracts, RegistryLimits } from '../versions/index.ts';
import type { InboxService } from '../inbox/index.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { RegistryDb } from './tables.ts';
import type { RegistryMetrics } from '../console/index.ts';
import type { UploadAllowance } from './upload-allowance.ts';

export interface ProtectedStore extends ArtifactStore {
  markDamaged(integrities: readonly string[]): Promise<void>;
  /**
   * A `put` for many blobs of one client that batches database commits. The blobs wait for each other's deletions and
   * fail together.
   */
  createBulkPut(): ArtifactStore['put'];
  missing(integrities: Iterable<string>, options?: { mayBeAway?: boolean }): Promise<Set<string>>;
}

export interface RegistryContext {
  db: RegistryDb;
  store: ProtectedStore;
  composer: Composer;
  compressing: Turns;
  searching: Turns;
  anchors: AuditAnchors;
  /** Derives the secret of a salt. Responses are stored with the salt, never with the secret. */
  deriveSecret(salt: string): string;
  askForms: AskFormContracts;
  inbox: InboxService | null;
  limits: RegistryLimits;
  uploads: UploadAllowance;
  metrics: RegistryMetrics;
  now(): Date;
  clock: DatabaseClock;
}

/** The channel that publishing compares with. */
export const LIVE_CHANNEL: ChannelName = 'production';
