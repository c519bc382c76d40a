import { ApiError } from '@site/server/api-error';
import type { ChannelSnapshot } from './channel.repository.ts';
import { digest } from '../kernel/canonical-json.ts';
import type { ReleasePlan } from './release.repository.ts';
import { canaryRunning, carryOver, runningCanary, type RunningCanary } from './canary.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ChannelSteps } from './make-releases.ts';
import { prepareRelease } from './prepare-release.ts';

export interface PlannedChange {
  snapshot: ChannelSnapshot;
  plan: ReleasePlan;
  changed: readonly string[];
}

export type Steps = Pick<ChannelSteps, 'live' | 'canary'>;

/** A canary of other apps continues on top of it. */
export async function activation(
  context: RegistryContext,
  { snapshot, plan, changed }: PlannedChange,
): Promise<Steps> {
  const running = runningCanary(snapshot);
  if (running) refuseSameChange(running, snapshot, plan, changed);
  const live = await prepareRelease(context, snapshot.channel, plan, changed);
  if (!running) return { live, canary: { step: 'none' } };
  const carried = await carryOver(context, running, plan);
  const release = await prepareRelease(context, snapshot.channel, carried, changed).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      throw canaryRunning(running, `it cannot continue with this change (${error.detail})`);
    },
  );
  return { live, canary: { step: 'carry', release } };
}

function refuseSameChange(
  running: RunningCanary,
  { live }: ChannelSnapshot,
  plan: ReleasePlan,
  changed: readonly string[],
): void {
  const same = changed.filter((app) => app in running.versions);
  if (same.length > 0) throw canaryRunning(running, `this would also change ${same.join(', ')}`);
  if (running.changesConfig && digest(plan.config) !== live?.configDigest) {
    throw canaryRunning(running, 'both would change the configuration');
  }
}
