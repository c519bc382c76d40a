import type { ChannelSnapshot } from './channel.repository.ts';
import { findLiveForms, type FormsOfVersion } from './live-form.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export type LiveForms = (snapshot: ChannelSnapshot, since: Date) => Promise<FormsOfVersion[]>;

interface Derived {
  releases: string;
  since: Date;
  versions: Promise<FormsOfVersion[]>;
}

/**
 * Derives a channel's forms once per change of its releases, since every instance of the forms service reads them every
 * few seconds. In the meantime, forms can only end.
 */
export function createLiveForms(db: RegistryDb): LiveForms {
  const kept = new Map<string, Derived>();
  return async ({ channel, live, canaries }, since) => {
    const releases = [live, ...canaries].map((one) => one?.number).join(' ');
    let derived = kept.get(channel);
    if (derived?.releases !== releases || derived.since > since) {
      derived = { releases, since, versions: findLiveForms(db, channel, since) };
      kept.set(channel, derived);
      derived.versions.catch(() => kept.delete(channel));
    }
    return (await derived.versions).filter(({ ended }) => ended === null || ended >= since);
  };
}
