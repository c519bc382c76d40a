import type { Transaction } from 'kysely';
import { ChannelNameSchema, type QuarantineAnswer } from '@site/contract';
import type { QuarantineRequest } from '@site/contract/registry-calls/version.calls';
import { lockAuditLog } from '../database/audit.repository.ts';
import { findChannel } from '../database/channel.repository.ts';
import { isOfOps, quarantine, release } from '../database/quarantine.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findQuarantines, findVersion, versionName } from '../database/version.repository.ts';
import { registryErrors } from '../errors.ts';
import type { Actor, RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import type { Answer, Remember } from './idempotency.ts';
import { requireScope } from './require-scope.ts';

type Request = QuarantineRequest & { app: string; version: string };

/** From the answer on, nobody activates or promotes the version on any channel. It takes nothing off the site. */
export async function quarantineVersion(
  context: RegistryContext,
  actor: Actor,
  request: Request,
  remember: Remember,
): Promise<Answer<QuarantineAnswer>> {
  return judge(context, request, remember, (transaction) =>
    quarantine(transaction, { ...request, by: actor.name, at: context.now() }),
  );
}

/** The version may be activated again. */
export async function releaseVersion(
  context: RegistryContext,
  actor: Actor,
  request: Request,
  remember: Remember,
): Promise<Answer<QuarantineAnswer>> {
  return judge(context, request, remember, async (transaction) => {
    const standing = await findOne(transaction, request);
    // What ops quarantined, a team does not allow itself again.
    if (standing && (await isOfOps(transaction, standing.by))) requireScope(actor, 'ops');
    return release(transaction, { ...request, by: actor.name, at: context.now() });
  });
}

async function judge(
  { db }: RegistryContext,
  request: Request,
  remember: Remember,
  change: (transaction: Transaction<RegistryTables>) => Promise<boolean>,
): Promise<Answer<QuarantineAnswer>> {
  const { app, version, dryRun } = request;
  if (!(await findVersion(db, app, version))) {
    throw registryErrors.version_unknown(`There is no version ${versionName(app, version)}.`);
  }
  return inTransaction(db, dryRun, async (transaction) => {
    await lockAuditLog(transaction);
    const changed = await change(transaction);
    const body: QuarantineAnswer = {
      app,
      version,
      changed,
      quarantined: await findOne(transaction, request),
      ...(await whereShown(transaction, request)),
      ...(dryRun ? { dryRun } : {}),
    };
    const answer = { status: 200, body };
    if (changed) await remember(transaction, answer);
    return answer;
  });
}

async function findOne(
  transaction: Transaction<RegistryTables>,
  { app, version }: Request,
): Promise<QuarantineAnswer['quarantined']> {
  const [row] = await findQuarantines(transaction, { [app]: version });
  return row ? { reason: row.reason, by: row.by, at: row.at.toISOString() } : null;
}

async function whereShown(
  transaction: Transaction<RegistryTables>,
  { app, version }: Request,
): Promise<Pick<QuarantineAnswer, 'live' | 'candidate' | 'fallback'>> {
  const live: QuarantineAnswer['live'] = [];
  const candidate: QuarantineAnswer['candidate'] = [];
  const fallback: QuarantineAnswer['fallback'] = [];
  for (const channel of ChannelNameSchema.options) {
    const { stable, canary } = await findChannel(transaction, channel);
    if (stable?.release.apps[app] === version) live.push(channel);
    else if (canary?.release.apps[app] === version) candidate.push(channel);
    const current = stable?.release.apps[app];
    if (current !== undefined && stable?.release.lastGood[app] === version) {
      fallback.push({ channel, live: current });
    }
  }
  return { live, candidate, fallback };
}
