import type { Session } from '@site/contract/registry-calls/session.calls';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { ActionStage } from '../actions/action-stage.tsx';
import type { AnswerTo, Ask, CallName, Sent } from '../data/client.ts';
import { createFollowing } from '../data/follow.ts';
import { createReads, type Reads } from '../data/reads.ts';
import { ConsoleContext } from '../data/use-console.ts';
import { channelAnswer, health, manifest } from './sample-answers.ts';

export type RegistryAnswers = {
  [Name in CallName]?: (
    sent: Sent<Name>,
    key: string | undefined,
  ) => AnswerTo<Name> | Promise<AnswerTo<Name>>;
};

export const ops: Session = {
  name: 'Olga',
  scopes: ['ops'],
  apps: { publish: null, activate: null },
  expiresAt: null,
  session: true,
  tokenId: 't1',
};

export const reader: Session = {
  ...ops,
  name: 'Rita',
  scopes: ['read'],
  apps: { publish: [], activate: [] },
};

interface Rendered extends RenderResult {
  reads: Reads;
}

export function renderConsole(
  view: ReactNode,
  answers: RegistryAnswers = {},
  { session = ops, path = '/' }: { session?: Session; path?: string } = {},
): Rendered {
  const known: RegistryAnswers = {
    readChannel: () => channelAnswer(),
    readHealth: () => health(),
    readVersion: () => manifest(),
    ...answers,
  };
  const ask: Ask = async (name, sent, key) => {
    const answer = known[name] as ((sent: unknown, key?: string) => unknown) | undefined;
    if (!answer) throw new Error(`The test has no response for ${name}.`);
    return (await answer(sent, key)) as never;
  };
  const reads: Reads = createReads(ask, (answered) => following.noteResult(answered));
  const following = createFollowing(() => reads.refresh());
  const services = { session, ask, reads, following, channel: 'production' as const };
  const rendered = render(
    <MemoryRouter initialEntries={[path]}>
      <ConsoleContext value={services}>
        <ActionStage>{view}</ActionStage>
      </ConsoleContext>
    </MemoryRouter>,
  );
  return { ...rendered, reads };
}
