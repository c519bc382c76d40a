import { CONFIGURATION } from '@site/contract';
import type { ChannelSnapshot } from './channel.repository.ts';
import type { ReleasePlan } from './release.repository.ts';
import { digest } from '../kernel/canonical-json.ts';
import { canaryRunning, prepareCanaries } from './canary.ts';
import type { RegistryContext } from '../kernel/context.ts';
import type { ChannelSteps } from './make-releases.ts';
import { prepareRelease } from './prepare-release.ts';

export interface PlannedChange {
  snapshot: ChannelSnapshot;
  plan: ReleasePlan;
  changed: readonly string[];
}

export type Steps = Pick<ChannelSteps, 'live' | 'started'>;

/** The canaries of other apps continue. @throws ApiError `canary_running` if one does not fit the new version. */
export async function activation(
  context: RegistryContext,
  { snapshot: { channel, live: before, canaries }, plan, changed }: PlannedChange,
): Promise<Steps> {
  const changesConfig = before !== null && digest(plan.config) !== before.configDigest;
  const own = canaries.find(({ app }) => changed.includes(app) || (changesConfig && app === CONFIGURATION));
  if (own) throw canaryRunning(own, `promote or abort it before you change ${own.app} for everyone`);
  const live = await prepareRelease(context, channel, plan, changed);
  const rendered = await prepareCanaries(context, plan, { canaries, changed });
  return { live: { ...live, rendered: live.rendered + rendered } };
}
