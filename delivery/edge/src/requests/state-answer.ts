import { MAX_REVOKED, mustLeave, type ChannelState } from '@site/contract';

/** What a tab is told at `/__site/state`. */
export interface StateAnswer {
  /** What the visitor would get now. */
  release: string | null;
  /** The tab's own release when it is to be left. Tabs of older shells do not name theirs: they get the newest of all. */
  revoked: string[];
}

/**
 * @param told what the registry told last of the channel.
 * @param query of the request: `?release=r12`, the release that the tab shows.
 * @param hasLostPreview a preview that is over was shown as part of that release: its tabs leave it, too.
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
