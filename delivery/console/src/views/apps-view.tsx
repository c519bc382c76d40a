import { Badge } from '@site/ui/badge';
import { Select } from '@site/ui/select';
import { TextField } from '@site/ui/text-field';
import { ActionButton } from '../actions/action-button.tsx';
import { bringBack, createApp, retire, transferApp } from '../actions/app-actions.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Answered } from '../parts/answered.tsx';
import { Fields } from '../parts/fields.tsx';
import { Paged } from '../parts/paged.tsx';
import { Table } from '../parts/table.tsx';
import { useTyped, type TypedProps } from '../parts/use-input.ts';
import { Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';
import { splitWords } from '../parts/text.ts';

type OwnedApp = AnswerTo<'listOwnedApps'>['apps'][number];

export function AppsView() {
  const { channel } = useConsole();
  return (
    <View title={`Apps of ${channel}`}>
      <Answered read={useRead('listOwnedApps', { params: { channel } })} of="the apps">
        {({ apps }) => (
          <>
            <Part title="All apps">
              <Apps apps={apps} />
            </Part>
            <Part title="Register an app">
              <NewApp />
            </Part>
            <Part title="Transfer an app to another team">
              <Transfer apps={apps} />
            </Part>
            <Part title="Take an app off the site">
              <Retire apps={apps.filter(({ app, live }) => app !== 'shell' && live !== null)} />
            </Part>
          </>
        )}
      </Answered>
    </View>
  );
}

function Apps({ apps }: { apps: readonly OwnedApp[] }) {
  return (
    <Paged rows={apps} of="apps" rowText={({ app, owner, paths }) => [app, owner, ...paths].join(' ')}>
      {(shown) => (
        <Table
          caption="Apps, by name"
          none="No app is registered yet."
          columns={['App', 'Owner', 'Live', 'Paths']}
          rows={shown.map(({ app, owner, paths, live, retired, newest }) => [
            newest === null ? app : <ToApp key="app" app={app} />,
            owner,
            live === null ? (
              <NotLive key="live" app={app} retired={retired} newest={newest} />
            ) : (
              <Version key="live" of={live} />
            ),
            paths.length === 0 ? '–' : <code key="paths">{paths.join(' ')}</code>,
          ])}
        />
      )}
    </Paged>
  );
}

function NotLive({ app, retired, newest }: Pick<OwnedApp, 'app' | 'retired' | 'newest'>) {
  const { channel } = useConsole();
  if (!retired) return newest === null ? 'not published yet' : 'not live';
  return (
    <div className="row">
      <Badge tone="signal">retired</Badge>
      <span>{retired.to === null ? 'gone' : `leads to ${retired.to}`}</span>
      <ActionButton label="Bring back" about={app} action={bringBack(channel, app)} />
    </div>
  );
}

function NewApp() {
  const [app, appProps] = useTyped();
  const [owner, ownerProps] = useTyped();
  const [paths, pathsProps] = useTyped();
  return (
    <Fields>
      <TextField label="Name" hint="Such as mfe-careers." {...appProps} />
      <TextField label="Owner" hint="The team, such as people." {...ownerProps} />
      <TextField
        label="Paths"
        hint="For example /careers/* /jobs. /careers/* includes /careers."
        {...pathsProps}
      />
      <ActionButton
        label="Register"
        action={createApp({
          app: app.trim(),
          owner: owner.trim(),
          paths: splitWords(paths),
        })}
      />
    </Fields>
  );
}

function Transfer({ apps }: { apps: readonly OwnedApp[] }) {
  const [chosen, chosenProps] = useTyped();
  const { app = '' } = apps.find((one) => one.app === chosen) ?? {};
  const [owner, ownerProps] = useTyped();
  return (
    <Fields>
      <ChooseApp apps={apps} {...chosenProps} value={app} />
      <TextField label="New owner" {...ownerProps} />
      {app === '' ? (
        <p>Choose an app first.</p>
      ) : (
        <ActionButton label="Give" about={app} action={transferApp(app, owner.trim())} />
      )}
    </Fields>
  );
}

function Retire({ apps }: { apps: readonly OwnedApp[] }) {
  const { channel } = useConsole();
  const [chosen, chosenProps] = useTyped();
  const { app = '', live = null } = apps.find((one) => one.app === chosen) ?? {};
  const [to, toProps] = useTyped();
  return (
    <Fields>
      <ChooseApp apps={apps} {...chosenProps} value={app} />
      <TextField
        label="Redirect its paths to"
        hint="A permanent page, such as /about-us. Without one its paths respond with 410 Gone."
        {...toProps}
      />
      {live === null ? (
        <p>Choose an app first.</p>
      ) : (
        <ActionButton
          label="Retire"
          about={app}
          action={retire(channel, { app, version: live }, to.trim())}
        />
      )}
    </Fields>
  );
}

interface ChooseAppProps extends TypedProps {
  apps: readonly OwnedApp[];
}

function ChooseApp({ apps, ...props }: ChooseAppProps) {
  return (
    <Select
      label="App"
      {...props}
      options={[{ value: '', label: 'Choose one' }, ...apps.map(({ app }) => ({ value: app, label: app }))]}
    />
  );
}
