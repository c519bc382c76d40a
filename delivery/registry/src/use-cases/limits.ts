import type { RegistryDb } from '../database/tables.ts';
import { usageOf } from '../database/version.repository.ts';
import { registryErrors } from '../errors/registry-errors.ts';

/** What one app or one token may use, so that none of them can stop the registry for the others. */
export interface RegistryLimits {
  /** Versions of one app whose files are kept. */
  versionsPerApp: number;
  /** The size of all their files; one that several versions have counts for each. */
  bytesPerApp: number;
  /** Requests of one token. Each registry process counts for itself, here and for the two below. */
  requestsPerMinute: number;
  /** Versions and dry runs, for they are rendered. Tokens of ops are not counted here. */
  publishesPerMinute: number;
  uploadedBytesPerHour: number;
}

const GIGABYTE = 1_000_000_000;

/** Ten times what a busy team needs. */
export const defaultLimits: RegistryLimits = {
  versionsPerApp: 2_000,
  bytesPerApp: 20 * GIGABYTE,
  requestsPerMinute: 12_000,
  publishesPerMinute: 60,
  uploadedBytesPerHour: 10 * GIGABYTE,
};

/**
 * Call it in the transaction that records a version, after that.
 *
 * @throws ApiError `quota_exceeded`, with how much is used and how to free some.
 */
export async function refuseOverQuota(
  db: RegistryDb,
  app: string,
  { versionsPerApp, bytesPerApp }: RegistryLimits,
): Promise<void> {
  const { versions, bytes } = await usageOf(db, app);
  if (versions <= versionsPerApp && bytes <= bytesPerApp) return;
  throw registryErrors.quota_exceeded(
    `With this version ${app} would keep ${versions} versions with ${gigabytes(bytes)}; ` +
      `${versionsPerApp} and ${gigabytes(bytesPerApp)} are allowed.`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(3)} GB`;
}
