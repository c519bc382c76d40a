import type { Overview } from '@site/contract/registry-calls/view.calls';
import { useState } from 'react';
import { ActionButton } from '../../actions/action-button.tsx';
import { abort, changeShare, promote } from '../../actions/channel-actions.ts';
import { useConsole } from '../../data/use-console.ts';
import { ShareSlider } from '../../parts/share-slider.tsx';

type Canary = NonNullable<Overview['canary']>;

/** What can be done with the canary that runs. */
export function CanaryActions({ canary }: { canary: Canary }) {
  const { channel } = useConsole();
  const [share, setShare] = useState(Math.min(50, Math.max(1, Math.round(canary.share * 2))));
  const seen = { release: canary.release, share: canary.share, apps: canary.apps };
  return (
    <>
      <ActionButton label="End it" about={canary.release} primary action={abort(channel, seen)} />
      <ActionButton label="Promote" about={canary.release} action={promote(channel, seen)} />
      <ShareSlider label="Share of the visitors" value={share} onChange={setShare} />
      <ActionButton label={`Change to ${share} %`} action={changeShare(channel, seen, share)} />
    </>
  );
}
