import { Badge } from '@site/ui/badge';
import { Select } from '@site/ui/select';
import { TextField } from '@site/ui/text-field';
import { useState } from 'react';
import { ActionButton } from '../actions/action-button.tsx';
import { bringBack, createApp, retire, transferApp } from '../actions/app-actions.ts';
import type { AnswerTo } from '../data/client.ts';
import { useConsole, useRead } from '../data/use-console.ts';
import { ToApp } from '../layout/to-view.tsx';
import { Answered } from '../parts/answered.tsx';
import { Fields } from '../parts/fields.tsx';
import { Paged } from '../parts/paged.tsx';
import { Table } from '../parts/table.tsx';
import { Version } from '../parts/version.tsx';
import { Part, View } from '../parts/view.tsx';
import { wordsOf } from '../parts/words-of.ts';

type OwnedApp = AnswerTo<'listOwnedApps'>['apps'][number];

/** Whose apps are, which paths are kept for them, and what of them is on the site. */
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
            <Part title="Give an app to another team">
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
    <Paged rows={apps} of="apps" textOf={({ app, owner, paths }) => [app, owner, ...paths].join(' ')}>
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
  const [app, setApp] = useState('');
  const [owner, setOwner] = useState('');
  const [paths, setPaths] = useState('');
  return (
    <Fields>
      <TextField
        label="Name"
        hint="Such as mfe-careers."
        value={app}
        onChange={(event) => setApp(event.target.value)}
      />
      <TextField
        label="Owner"
        hint="The team, such as people."
        value={owner}
        onChange={(event) => setOwner(event.target.value)}
      />
      <TextField
        label="Paths"
        hint="Such as: /careers/* /jobs. The first is /careers and everything below it."
        value={paths}
        onChange={(event) => setPaths(event.target.value)}
      />
      <ActionButton
        label="Register"
        action={createApp({
          app: app.trim(),
          owner: owner.trim(),
          paths: wordsOf(paths),
        })}
      />
    </Fields>
  );
}

function Transfer({ apps }: { apps: readonly OwnedApp[] }) {
  const [app, setApp] = useState('');
  const [owner, setOwner] = useState('');
  return (
    <Fields>
      <ChooseApp apps={apps} value={app} onChoose={setApp} />
      <TextField label="New owner" value={owner} onChange={(event) => setOwner(event.target.value)} />
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
  const [chosen, setApp] = useState('');
  // An app that has been retired since is no longer a choice.
  const { app = '', live = null } = apps.find((one) => one.app === chosen) ?? {};
  const [to, setTo] = useState('');
  return (
    <Fields>
      <ChooseApp apps={apps} value={app} onChoose={setApp} />
      <TextField
        label="Redirect its addresses to"
        hint="A page that stays, such as /about-us. Without one they answer 410 (gone)."
        value={to}
        onChange={(event) => setTo(event.target.value)}
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

interface ChooseAppProps {
  apps: readonly OwnedApp[];
  value: string;
  onChoose: (app: string) => void;
}

function ChooseApp({ apps, value, onChoose }: ChooseAppProps) {
  return (
    <Select
      label="App"
      value={value}
      options={[{ value: '', label: 'Choose one' }, ...apps.map(({ app }) => ({ value: app, label: app }))]}
      onChange={(event) => onChoose(event.target.value)}
    />
  );
}
