import { MAX_REVOKED, mustLeave, type ChannelState } from '@site/contract';
import type { StateAnswer } from '@site/contract/urls';

/**
 * @param told the channel's last state from the registry.
 * @param query of the request: `?release=r12`, the tab's release.
 * @param hasLostPreview an ended preview was shown as part of that release, so its tabs leave as well.
 */
export function stateAnswer(
  told: ChannelState | null,
  release: string | null,
  query: string,
  hasLostPreview = false,
): StateAnswer {
  const own = new URLSearchParams(query).get('release');
  if (own !== null && hasLostPreview) return { release, revoked: [own] };
  if (!told) return { release, revoked: [] };
  if (own === null) return { release, revoked: told.revoked.slice(-MAX_REVOKED) };
  return { release, revoked: mustLeave(told, own) ? [own] : [] };
}
