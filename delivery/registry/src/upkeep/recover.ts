import { ChannelNameSchema, type RecoveryAnswer } from '@site/contract';
import { cacheKeys } from '@site/contract/cache-keys';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { dropQueue } from '../alerts/index.ts';
import { releaseGap, skipReleases } from '../channels/index.ts';
import { divergedEdges } from '../edges/index.ts';
import { appendAudit, auditHead, lastEntryAt } from '../kernel/audit.repository.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { allowIdling } from '../kernel/in-transaction.ts';
import { channelChanged } from '../kernel/notices.ts';
import { queuePurges } from '../kernel/queue-purges.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { runChange } from '../kernel/run-change.ts';
import { checkAuditLog } from './audit-log-check.repository.ts';

const DIVERGED = 'Edges follow entries of the audit log, or serve releases, that the database does not have.';
/** A hostile edge must not exhaust the epochs. */
const EPOCHS_AHEAD = 100;

interface Seen {
  head: Awaited<ReturnType<typeof auditHead>>;
  edges: Awaited<ReturnType<typeof divergedEdges>>;
}

/** Confirms a loss of entries: the log continues in a new epoch, which edges follow from any position. */
export function recover(command: Command, { reason }: ReasonedRequest): Promise<Answer<RecoveryAnswer>> {
  const { context, dryRun } = command;
  return runChange<Seen, Seen, undefined, RecoveryAnswer>(command, {
    locks: { channels: ChannelNameSchema.options },
    read: async (db) => ({ head: await auditHead(db), edges: await divergedEdges(db) }),
    async write(writing, { head, edges }) {
      const { transaction, at } = writing;
      const unconfirmed = head?.unconfirmed ?? null;
      const diverged = edges.ids;
      const says = unconfirmed?.says ?? (diverged.length > 0 ? DIVERGED : null);
      if (says === null) return { body: { changed: false, says, diverged } };
      const { problem, entries, hash } = await checkAuditLog(transaction);
      if (problem !== null) throw registryErrors.log_damaged(problem);
      if (unconfirmed === null) {
        await skipReleases(transaction, releaseGap(at, (await lastEntryAt(transaction)) ?? at));
      }
      if (unconfirmed?.kind === 'copied') await dropQueue(transaction);
      const common = unconfirmed?.common ?? { sequence: entries, hash };
      const details = { reason, says, common: common.sequence, diverged };
      await appendAudit(writing, { action: 'registry.recovered', subject: 'registry', details });
      for (const channel of ChannelNameSchema.options)
        await queuePurges(writing, channel, Object.values(cacheKeys));
      if (!dryRun) {
        // The store may be slower than the idle timeout of a transaction.
        await allowIdling(transaction);
        const known = Math.min(edges.epoch, (head?.epoch ?? 0) + EPOCHS_AHEAD);
        await context.anchors.beginEpoch(transaction, common, known);
      }
      return {
        body: { changed: true, says, diverged },
        notices: ChannelNameSchema.options.map(channelChanged),
      };
    },
  });
}
