import { createHash } from 'node:crypto';
import type { GuestAttributes, GuestUpdate } from '@site/contract';
import { HOUR_MS } from '@site/server/durations';
import type { ResourceDocument } from '@site/server/json-api';
import { gatewayErrors } from '../errors.ts';
import type { GuestRow, GuestsRepository, Visit } from './guests.repository.ts';

const CREATION_KEY_VALID_MS = HOUR_MS;

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

const toIso = (date: Date | null) => date?.toISOString() ?? null;

export function guestDocument(row: GuestRow, meta?: Record<string, unknown>): ResourceDocument {
  const attributes: GuestAttributes = {
    unique_id: row.unique_id,
    user_unique_id: row.user_unique_id,
    email: row.email,
    name: row.name,
    username: row.username,
    status: row.status,
    current_visiting_at: toIso(row.current_visiting_at),
    current_visiting_ip: row.current_visiting_ip,
    last_visiting_at: toIso(row.last_visiting_at),
    last_visiting_ip: row.last_visiting_ip,
    registered_at: toIso(row.registered_at),
  };
  const self = `/guests/${row.unique_id}`;
  return {
    data: { type: 'guests', id: row.unique_id, attributes, links: { self } },
    links: { self },
    ...(meta ? { meta } : {}),
  };
}
