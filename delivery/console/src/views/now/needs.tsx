import type { Need, Overview } from '@site/contract/registry-calls/view.calls';
import { CONFIGURATION } from '@site/contract';
import { Badge } from '@site/ui/badge';
import { ActionButton } from '../../actions/action-button.tsx';
import { forgetEdge } from '../../actions/access-actions.ts';
import { rollBack } from '../../actions/channel-actions.ts';
import { unfreeze } from '../../actions/guarding-actions.ts';
import { useConsole } from '../../data/use-console.ts';
import { ToApp } from '../../layout/to-view.tsx';
import { Ago } from '../../parts/ago.tsx';
import { Paged } from '../../parts/paged.tsx';
import { CanaryActions } from './canary-actions.tsx';
import styles from './needs.module.css';

const names: Record<Need['kind'], string> = {
  suggested: 'The guard suggests',
  refused: 'The guard was refused',
  'edge-silent': 'Edge silent',
  'edge-behind': 'Edge behind',
  canary: 'Canary',
  frozen: 'Frozen',
  trouble: 'Trouble',
};

const isUrgent = (kind: Need['kind']) => kind !== 'canary' && kind !== 'frozen';

/** A stable key: closing a dialog must return the focus to the button of the same entry. */
const needKey = ({ kind, app, version, edge, since, says }: Need) =>
  [kind, app, version, edge, kind === 'trouble' ? says : since].join(' ');

export function Needs({ overview }: { overview: Overview }) {
  const { needs } = overview;
  if (needs.length === 0) return null;
  return (
    <Paged rows={needs} of="needs" rowText={({ kind, app, says }) => `${names[kind]} ${app ?? ''} ${says}`}>
      {(shown) => (
        <ul className={styles.needs}>
          {shown.map((need) => (
            <li key={needKey(need)} className={isUrgent(need.kind) ? styles.urgent : styles.need}>
              <div className={styles.text}>
                <p className={styles.what}>
                  <Badge tone={isUrgent(need.kind) ? 'signal' : 'sun'}>{names[need.kind]}</Badge>
                  {need.app !== null && <ToApp app={need.app} />}
                  <span className={styles.since}>
                    <Ago at={need.since} />
                  </span>
                </p>
                <p className={styles.says}>{need.says}</p>
              </div>
              <div className={styles.actions}>
                <NeedActions need={need} overview={overview} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Paged>
  );
}

function NeedActions({ need, overview }: { need: Need; overview: Overview }) {
  const { channel } = useConsole();
  const { kind, app, version, edge, says } = need;
  if ((kind === 'suggested' || kind === 'refused') && app !== null && version !== null) {
    return (
      <ActionButton label="Roll back" about={app} primary action={rollBack(channel, app, version, says)} />
    );
  }
  if (kind === 'edge-silent' && edge !== null) {
    return <ActionButton label="Forget it" about={edge} action={forgetEdge(edge)} />;
  }
  const canary = overview.canaries.find((running) => running.app === (app ?? CONFIGURATION));
  if (kind === 'canary' && canary) return <CanaryActions canary={canary} />;
  if (kind === 'frozen') {
    return (
      <ActionButton label="Lift the freeze" about={app ?? 'of everything'} action={unfreeze(channel, app)} />
    );
  }
  return null;
}
