import { randomUUID } from 'node:crypto';
import { ACCESS_TOKEN_TYPE, type ExchangeAnswer } from '@site/contract/registry-calls/trust.calls';
import { ApiError } from '@site/server/api-error';
import { appendAudit } from '../kernel/audit.repository.ts';
import { firstFilledTable } from '../kernel/table-dump.ts';
import { saveToken } from './token.repository.ts';
import { listIssuerTrusts, forgetTokens, recordUse } from './trust.repository.ts';
import { matchTrusts, subjectName, toProvenance, type Grant } from './trust.ts';
import { HOUR_MS, MINUTE_MS } from '@site/server/durations';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { readClaimed, verifyIdToken, type Claimed } from './verify-id-token.ts';
import { createToken, hashSecret } from '@site/server/secrets';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { runChange } from '../kernel/run-change.ts';

const TOKEN_MS = 15 * MINUTE_MS;
/** Anyone can cause rejections, and the audit log is permanent. Others go to the process log. */
const NOTED_PER_HOUR = 60;

const NOBODY: Actor = { tokenId: '(exchange)', name: '(exchange)', scopes: [] };

type Context = Pick<RegistryContext, 'db' | 'now'>;

export interface ExchangeNote {
  claimed: Claimed | null;
  refused: string | null;
}

/**
 * Exchanges and rejections are audited, except rejections before the log's first entry.
 * @returns the exchange function. It throws ApiError `id_token_invalid`, `id_token_untrusted`, `id_token_used`,
 * `issuer_unavailable`.
 */
export function createExchange(
  context: Context,
  issuerKeys: IssuerKeys,
  onNote: (note: ExchangeNote) => void,
) {
  const mayNote = createAllowance(context.now);

  async function refused(claimed: Claimed | null, error: ApiError): Promise<void> {
    onNote({ claimed, refused: error.code });
    // An unused registry must stay empty, or a backup could not be restored; any client can cause rejections.
    if ((await firstFilledTable(context.db)) === null) return;
    if (!mayNote()) return;
    const { code, detail } = error;
    await runChange(toCommand(context, NOBODY), {
      async write(writing) {
        const details = { code, detail, claimed };
        await appendAudit(writing, { action: 'token.exchange-refused', subject: code, details });
        return { body: {} };
      },
    });
  }

  return async function exchange(idToken: string): Promise<ExchangeAnswer> {
    let claimed: Claimed | null = null;
    try {
      claimed = readClaimed(idToken);
      const answer = await giveToken(context, issuerKeys, idToken, claimed);
      onNote({ claimed, refused: null });
      return answer;
    } catch (error) {
      if (error instanceof ApiError) await refused(claimed, error);
      throw error;
    }
  };
}

async function giveToken(
  context: Context,
  issuerKeys: IssuerKeys,
  sent: string,
  claimed: Claimed,
): Promise<ExchangeAnswer> {
  const { issuer } = claimed;
  // Before fetching keys: only issuers configured by ops are contacted.
  if ((await listIssuerTrusts(context.db, issuer)).length === 0) {
    throw untrusted(`No trust names its issuer "${issuer}".`);
  }
  const idToken = await verifyIdToken(sent, claimed, { issuerKeys, at: context.now() });
  const [id, token, name] = [randomUUID(), createToken(), subjectName(idToken)];
  const { body } = await runChange(toCommand(context, { tokenId: id, name, scopes: [] }), {
    read: (db) => listIssuerTrusts(db, issuer),
    decide(trusts): Grant {
      const grant = matchTrusts(trusts, idToken);
      if ('refused' in grant) throw untrusted(grant.refused);
      return grant;
    },
    async write(writing, { scopes, trusts }) {
      const { transaction, at } = writing;
      if (!(await recordUse(writing, idToken, trusts))) {
        throw registryErrors.id_token_used('This id token was exchanged before.');
      }
      await forgetTokens(transaction, at);
      const expiresAt = new Date(at.getTime() + TOKEN_MS);
      const provenance = toProvenance(idToken);
      const ids = trusts.map((trust) => trust.id);
      await saveToken(transaction, {
        ...{ id, name, scopes, expiresAt, createdAt: at },
        hash: hashSecret(token),
        pipeline: { trusts: ids, provenance },
      });
      await appendAudit(writing, {
        action: 'token.exchanged',
        subject: id,
        details: { name, scopes, expiresAt: expiresAt.toISOString(), trusts: ids, provenance },
      });
      return { body: { scopes } };
    },
  });
  return {
    access_token: token,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: 'Bearer',
    expires_in: TOKEN_MS / 1000,
    scope: body.scopes.join(' '),
  };
}

function untrusted(why: string) {
  return registryErrors.id_token_untrusted(`No trust matches this pipeline. ${why}`);
}

function toCommand(context: Context, actor: Actor) {
  // No key: an id token can be used only once.
  return { context, actor, key: null, requestDigest: '', dryRun: false };
}

function createAllowance(now: () => Date): () => boolean {
  let [since, count] = [0, 0];
  return () => {
    const at = now().getTime();
    if (at - since >= HOUR_MS) [since, count] = [at, 0];
    count += 1;
    return count <= NOTED_PER_HOUR;
  };
}
