import { versionUnknown } from '../kernel/registry-errors.ts';
import { ChannelNameSchema, type QuarantineAnswer } from '@site/contract';
import type { ReasonedRequest } from '@site/contract/registry-calls/fields';
import { canaryVersion } from './canary.ts';
import { findChannel } from './channel.repository.ts';
import {
  deleteQuarantine,
  findQuarantines,
  insertQuarantine,
  isOpsToken,
  quarantined,
} from './quarantine.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findVersion } from '../versions/index.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { requireScope } from '../kernel/scopes.ts';
import { runChange } from '../kernel/run-change.ts';

type Request = ReasonedRequest & { app: string; version: string };

/**
 * Once this returns, activation and promotion of the version are blocked on all channels. Live releases are unaffected.
 */
export function quarantineVersion(command: Command, request: Request): Promise<Answer<QuarantineAnswer>> {
  return change(command, request, insertQuarantine);
}

export function unquarantineVersion(command: Command, request: Request): Promise<Answer<QuarantineAnswer>> {
  return change(command, request, deleteQuarantine);
}

function change(
  command: Command,
  request: Request,
  act: typeof insertQuarantine | typeof deleteQuarantine,
): Promise<Answer<QuarantineAnswer>> {
  const { app, version, reason } = request;
  return runChange(command, {
    async read(db) {
      const existing = await findOne(db, request);
      return {
        isKnown: (await findVersion(db, app, version)) !== undefined,
        isOpsToken: existing !== null && (await isOpsToken(db, existing.by)),
      };
    },
    decide(seen) {
      if (!seen.isKnown) throw versionUnknown(app, version);
      // A team cannot lift a quarantine by ops.
      if (act === deleteQuarantine && seen.isOpsToken) requireScope(command.actor, 'ops');
    },
    async write(writing) {
      const changed = await act(writing, { app, version, reason });
      const { transaction } = writing;
      const quarantined = await findOne(transaction, request);
      return {
        body: { app, version, changed, quarantined, ...(await whereShown(transaction, request)) },
      };
    },
  });
}

async function findOne(db: RegistryDb, { app, version }: Request): Promise<QuarantineAnswer['quarantined']> {
  const [row] = await findQuarantines(db, { [app]: version });
  return quarantined(row);
}

async function whereShown(
  db: RegistryDb,
  { app, version }: Request,
): Promise<Pick<QuarantineAnswer, 'live' | 'canary' | 'fallback'>> {
  const live: QuarantineAnswer['live'] = [];
  const canary: QuarantineAnswer['canary'] = [];
  const fallback: QuarantineAnswer['fallback'] = [];
  for (const channel of ChannelNameSchema.options) {
    const shown = await findChannel(db, channel);
    const current = shown.live?.release.apps[app];
    if (current === version) live.push(channel);
    if (shown.canaries.some((running) => running.app === app && canaryVersion(running) === version))
      canary.push(channel);
    if (current !== undefined && shown.live?.release.lastGood[app] === version) {
      fallback.push({ channel, live: current });
    }
  }
  return { live, canary, fallback };
}
