import { createHash } from 'node:crypto';
import type { GuestUpdate } from '@site/contract';
import { HOUR_MS } from '@site/server/durations';
import { gatewayErrors } from '../errors.ts';
import type { GuestRow, GuestsRepository, Visit } from './guests.repository.ts';

/** How long the Idempotency-Key of a creation identifies its creator: an hour, in milliseconds. */
const CREATION_KEY_VALID_MS = HOUR_MS;

/** Authorization happens in the caller. */
export function createGuests(repository: GuestsRepository) {
  return {
    /**
     * Creates a guest. A retry by its creator returns the same guest; other clients get a conflict, because
     * guest ids are not secret and must not be sufficient to get a token.
     * @param proof the request's Idempotency-Key, and whether it has the guest's own token
     */
    async create(
      id: string,
      visit: Visit,
      proof: { key: string | null; ownToken: () => Promise<boolean> },
    ): Promise<{ guest: GuestRow; created: boolean }> {
      const keyHash = proof.key === null ? null : createHash('sha256').update(proof.key).digest('hex');
      const created = await repository.create(id, visit, keyHash);
      if (created) return { guest: created, created: true };
      const existing = await repository.find(id);
      if (existing && (isRepetition(existing, visit.at, keyHash) || (await proof.ownToken()))) {
        return { guest: existing, created: false };
      }
      throw gatewayErrors.guest_exists('There is a guest with this "unique_id" already.', {
        source: { pointer: '/unique_id' },
      });
    },

    async read(id: string): Promise<GuestRow> {
      return (await repository.find(id)) ?? notFound(id);
    },

    async update(id: string, update: GuestUpdate): Promise<GuestRow> {
      for (const field of ['unique_id', 'user_unique_id'] as const) requireSameId(id, update[field], field);
      return (await repository.update(id, update)) ?? notFound(id);
    },

    /** Records a visit when a guest requests a new token. */
    async visit(id: string, guestUniqueId: string, visit: Visit): Promise<GuestRow> {
      requireSameId(id, guestUniqueId, 'guest_unique_id');
      return (await repository.visit(id, visit)) ?? notFound(id);
    },
  };
}

function isRepetition(existing: GuestRow, now: Date, keyHash: string | null): boolean {
  const age = now.getTime() - existing.registered_at.getTime();
  return keyHash !== null && existing.creation_key_hash === keyHash && age < CREATION_KEY_VALID_MS;
}

function requireSameId(id: string, given: string, field: string): void {
  if (given === id) return;
  throw gatewayErrors.guest_id_mismatch(`"${field}" differs from the id in the path.`, {
    source: { pointer: `/${field}` },
  });
}

function notFound(id: string): never {
  throw gatewayErrors.guest_not_found(`There is no guest "${id}", or it was removed.`);
}
