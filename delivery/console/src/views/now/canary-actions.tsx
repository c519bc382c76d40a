import type { RunningCanary } from '@site/contract/registry-calls/view.calls';
import { useState } from 'react';
import { ActionButton } from '../../actions/action-button.tsx';
import { abort, changeShare, promote } from '../../actions/channel-actions.ts';
import { useConsole } from '../../data/use-console.ts';
import { ShareSlider } from '../../parts/share-slider.tsx';

const HALF = 50;
const MOST = 99;

function nextShare(share: number): number {
  const twice = Math.max(1, Math.round(share * 2));
  return Math.min(share < HALF ? HALF : MOST, twice);
}

/** A share chosen for another canary or at another current share is dropped. */
export function CanaryActions({ canary }: { canary: RunningCanary }) {
  const { channel } = useConsole();
  const stands = `${canary.release} ${canary.share}`;
  const [chosen, setChosen] = useState<{ at: string; share: number } | null>(null);
  const share = chosen?.at === stands ? chosen.share : nextShare(canary.share);
  return (
    <>
      <ActionButton label="End it" about={canary.release} primary action={abort(channel, canary)} />
      <ActionButton label="Promote" about={canary.release} action={promote(channel, canary)} />
      <ShareSlider
        label="Share of visitors"
        value={share}
        onChange={(wanted) => setChosen({ at: stands, share: wanted })}
      />
      <ActionButton label={`Change to ${share} %`} action={changeShare(channel, canary, share)} />
    </>
  );
}
