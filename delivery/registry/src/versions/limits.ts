import type { RegistryDb } from '../kernel/tables.ts';
import { findUsage } from './version.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';

export interface RegistryLimits {
  versionsPerApp: number;
  bytesPerApp: number;
  /** Of all tokens of a team; others have their own. This and the next two are counted per registry process. */
  requestsPerMinute: number;
  /** Versions and their dry runs, because they are rendered; and as many other changes. Ops tokens are exempt. */
  changesPerMinute: number;
  uploadedBytesPerHour: number;
}

const GIGABYTE = 1_000_000_000;

/** Ten times the needs of a busy team. */
export const defaultLimits: RegistryLimits = {
  versionsPerApp: 2_000,
  bytesPerApp: 20 * GIGABYTE,
  requestsPerMinute: 12_000,
  changesPerMinute: 60,
  uploadedBytesPerHour: 10 * GIGABYTE,
};

/**
 * Call it in the transaction that records a version, after recording it.
 * @throws ApiError `quota_exceeded`.
 */
export async function refuseOverQuota(
  db: RegistryDb,
  app: string,
  { versionsPerApp, bytesPerApp }: RegistryLimits,
): Promise<void> {
  const { versions, bytes } = await findUsage(db, app);
  if (versions <= versionsPerApp && bytes <= bytesPerApp) return;
  throw registryErrors.quota_exceeded(
    `With this version ${app} would keep ${versions} versions with ${gigabytes(bytes)}; ` +
      `${versionsPerApp} and ${gigabytes(bytesPerApp)} are allowed.`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toFixed(3)} GB`;
}
