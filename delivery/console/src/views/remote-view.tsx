import { useParams } from 'react-router-dom';
import { ActionButton } from '../actions/action-button.tsx';
import { rollBack } from '../actions/channel-actions.ts';
import { freeze, unfreeze } from '../actions/guarding-actions.ts';
import { permissionProblem } from '../data/permissions.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { Ago } from '../parts/ago.tsx';
import { Answered } from '../parts/answered.tsx';
import { healthText } from '../parts/text.ts';
import { Verdict, Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';
import { CanaryActions } from './now/canary-actions.tsx';
import { HealthOverTime } from './remote/health-over-time.tsx';
import { Previews } from './remote/previews.tsx';
import { StartCanary } from './remote/start-canary.tsx';
import { VersionsTable } from './remote/versions-table.tsx';
import { Paged } from '../parts/paged.tsx';

const guarded = {
  suggest: 'The guard only makes suggestions here: it does not roll back bad versions.',
  off: 'The guard is off here.',
} as const;

export function RemoteView() {
  const { app = '' } = useParams();
  const { channel, session } = useConsole();
  const read = useRead('readOverview', { params: { channel }, query: { app } });
  const line = read.data?.apps.find((each) => each.app === app);
  const live = line?.live ?? null;
  const canary = read.data?.canaries.find((running) => running.app === app);
  return (
    <View
      title={app}
      actions={
        <>
          {live && <ActionButton label="Roll back" action={rollBack(channel, app, live.version)} primary />}
          {line &&
            (line.frozen?.app === app ? (
              <ActionButton label="Lift the freeze" action={unfreeze(channel, app)} />
            ) : (
              <ActionButton
                label="Freeze"
                action={freeze(channel, app, live ? [{ app, version: live.version }] : [])}
              />
            ))}
        </>
      }
    >
      <Answered read={read} of="the app">
        {() =>
          line ? (
            <>
              <p>
                {live ? (
                  <>
                    <Version of={live.version} /> went live on {channel} <Ago at={live.at} />, by {live.by}:{' '}
                    {live.reason} <Verdict of={line.standing?.verdict} />
                  </>
                ) : (
                  `It is not live on ${channel}.`
                )}
              </p>
              {line.guard !== 'act' && <p>{guarded[line.guard]}</p>}
              {line.frozen && (
                <p>
                  {line.frozen.app === null ? 'Everything' : 'It'} was frozen <Ago at={line.frozen.at} />, by{' '}
                  {line.frozen.by}: {line.frozen.reason}
                </p>
              )}
              <HealthOverTime app={app} />
              <Part title="Canary">
                {canary ? (
                  <>
                    <p>
                      {canary.release} shows <Version of={line.canary?.version ?? null} /> to {canary.share} %
                      of visitors; since <Ago at={canary.since} />, by {canary.by}: {canary.reason}
                    </p>
                    {line.canary && <p>Views in the last hour: {healthText(line.canary.health)}.</p>}
                    {canary.stages && canary.stages.shares.length > 0 && (
                      <p>
                        Then {canary.stages.shares.map((share) => `${share} %`).join(', ')}, every{' '}
                        {canary.stages.everyMinutes} minutes at the earliest: {canary.stages.says}
                      </p>
                    )}
                    <div className="row">
                      <CanaryActions canary={canary} />
                    </div>
                  </>
                ) : (
                  <StartCanary app={app} live={live?.version ?? null} />
                )}
              </Part>
              <VersionsTable app={app} live={live?.version ?? null} />
              {live && <Pages app={app} version={live.version} />}
              <Previews app={app} />
            </>
          ) : (
            <p>
              {permissionProblem(session, [['read', `publish:${app}`, `activate:${app}`]]) ??
                `There is no app "${app}".`}
            </p>
          )
        }
      </Answered>
    </View>
  );
}

function Pages({ app, version }: { app: string; version: string }) {
  const read = useRead('readVersion', { params: { app, version } });
  return (
    <Part title="Pages">
      <Answered read={read} of="the pages">
        {(manifest) =>
          manifest.kind === 'remote' && manifest.pages.length > 0 ? (
            <Paged rows={manifest.pages} of="pages" rowText={({ path }) => path}>
              {(shown) => (
                <ul className="row">
                  {shown.map(({ path }) => (
                    <li key={path}>
                      <code>{path}</code>
                    </li>
                  ))}
                </ul>
              )}
            </Paged>
          ) : (
            <p>It has no pages.</p>
          )
        }
      </Answered>
    </Part>
  );
}
