import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  TrustMade,
  TrustRemoved,
  TrustRequest,
  Trusts,
} from '@site/contract/registry-calls/trust.calls';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { appendAudit } from '../kernel/audit.repository.ts';
import { tokenRevoked } from '../kernel/notices.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { deleteTrust, findTrust, insertTrust, listTrusts } from './trust.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { runChange, type Outcome } from '../kernel/run-change.ts';

/** Every exchange reads all trusts of its issuer. */
const MOST_TRUSTS = 1_000;

export function addTrust(
  command: Command,
  { app, issuer, subject, audience, claims, activate }: TrustRequest,
): Promise<Answer<TrustMade>> {
  const wanted = { app, issuer, subject, audience, claims, activate };
  return runChange(command, {
    read: listTrusts,
    decide(trusts) {
      const same = trusts.find(({ id: _id, by: _by, at: _at, used_at: _used, ...trust }) =>
        isDeepStrictEqual(trust, wanted),
      );
      if (same) throw registryErrors.trust_exists(`Trust ${same.id} already covers this.`);
      if (trusts.length >= MOST_TRUSTS) {
        throw registryErrors.trusts_full(`There are ${trusts.length} already; ${MOST_TRUSTS} are allowed.`);
      }
      return wanted;
    },
    async write(writing, plan): Promise<Outcome<TrustMade>> {
      const trust = { id: randomUUID(), ...plan };
      await insertTrust(writing, trust);
      const { id, ...details } = trust;
      await appendAudit(writing, { action: 'trust.added', subject: id, details });
      return { body: trust, created: true };
    },
  });
}

/** Revokes the pipeline's tokens and issues no more. */
export function removeTrust(
  command: Command,
  id: string,
  { reason }: ReasonedRequest,
): Promise<Answer<TrustRemoved>> {
  return runChange(command, {
    read: (db) => findTrust(db, id),
    decide(trust) {
      if (trust) return trust;
      throw registryErrors.trust_unknown(`There is no trust with the id "${id.slice(0, 50)}".`);
    },
    async write(writing, { app, issuer, subject }): Promise<Outcome<TrustRemoved>> {
      const ended = await deleteTrust(writing, id);
      await appendAudit(writing, {
        action: 'trust.removed',
        subject: id,
        details: { app, issuer, subject, ended: ended.length, reason },
      });
      return { body: { id, app, subject, ended: ended.length }, notices: ended.map(tokenRevoked) };
    },
  });
}

export async function showTrusts(db: RegistryDb): Promise<Trusts> {
  const trusts = await listTrusts(db);
  return {
    trusts: trusts.map(({ at, used_at, ...trust }) => ({
      ...trust,
      at: at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    })),
  };
}
