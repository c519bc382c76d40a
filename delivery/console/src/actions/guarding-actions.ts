import type { FreezesAnswer } from '@site/contract';
import type { PolicyMode } from '@site/contract/registry-calls/guard.calls';
import { counted } from '../parts/text.ts';
import type { ActionOutcome, AppVersion, ConsoleAction } from './action.ts';

const freezeName = (app: string | null) => app ?? 'everything';

function frozen({ changed, freezes }: FreezesAnswer, says: string): ActionOutcome {
  const lines = freezes.map(({ app, by, reason }) => `frozen: ${freezeName(app)}, by ${by}: ${reason}`);
  return { changed, says, lines: lines.length > 0 ? lines : ['nothing is frozen'], goal: null };
}

export function freeze(channel: string, app: string | null, live: readonly AppVersion[]): ConsoleAction {
  return {
    title: `Freeze ${freezeName(app)} on ${channel}`,
    confirm: `Freeze ${freezeName(app)}`,
    reasons: ['An incident', 'A launch', 'Until a fix is ready'],
    needs: ['ops'],
    about: app === null ? [] : live,
    async run(ask, { reason, dryRun, key }) {
      const body = { ...(app === null ? {} : { app }), reason, dryRun };
      const answer = await ask('freezeChannel', { params: { channel }, body }, key);
      const { lines, ...done } = frozen(answer, `${freezeName(app)} is frozen on ${channel}`);
      const whom = app ?? (live.length > 0 ? counted(live.length, 'app') : null);
      const what = whom === null ? 'nothing' : `nothing of ${whom}`;
      return {
        ...done,
        lines: [
          `${what} can go live until the freeze is lifted; rollbacks and ending a canary still work`,
          ...lines,
        ],
      };
    },
  };
}

export function unfreeze(channel: string, app: string | null): ConsoleAction {
  return {
    title: `Lift the freeze of ${freezeName(app)} on ${channel}`,
    confirm: `Lift the freeze of ${freezeName(app)}`,
    reasons: ['No longer needed', 'It is fixed'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key }) {
      const body = { ...(app === null ? {} : { app }), reason, dryRun };
      const answer = await ask('unfreezeChannel', { params: { channel }, body }, key);
      return frozen(answer, `The freeze of ${freezeName(app)} is lifted`);
    },
  };
}

export function quarantine(app: string, version: string, on: boolean): ConsoleAction {
  return {
    title: on ? `Quarantine ${app}@${version}` : `Lift the quarantine of ${app}@${version}`,
    confirm: on ? `Quarantine ${version}` : `Allow ${version} again`,
    reasons: on
      ? ['Visitors see errors', 'It must not go live']
      : ['It is good after all', 'It was not the cause'],
    needs: [`activate:${app}`],
    about: [{ app, version }],
    async run(ask, { reason, dryRun, key }) {
      const answer = await ask(
        on ? 'quarantineVersion' : 'unquarantineVersion',
        { params: { app, version }, body: { reason, dryRun } },
        key,
      );
      return {
        changed: answer.changed,
        says: on ? `${version} is quarantined` : `${version} may be activated again`,
        lines: [
          on ? 'it cannot be activated; the live site stays the same' : 'it can be activated again',
          ...answer.live.map((channel) => `it stays live on ${channel}: roll it back to remove it`),
          ...answer.canary.map(
            (channel) => `the canary of ${channel} still shows it: end the canary to remove it`,
          ),
        ],
        goal: null,
      };
    },
  };
}

export function setGuard(channel: string, app: string | null, mode: PolicyMode | null): ConsoleAction {
  const whom = app ?? 'all other apps';
  const what = mode ?? 'default';
  return {
    title: `Guard: ${what} for ${whom} on ${channel}`,
    confirm: `Set ${whom} to ${what}`,
    reasons: ['A campaign changes who visits', 'An incident', 'Back to normal'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key }) {
      const body = { ...(app === null ? {} : { app }), mode, reason, dryRun };
      const { changed, policies } = await ask('setGuard', { params: { channel }, body }, key);
      return {
        changed,
        says: `The guard may "${what}" for ${whom}`,
        lines: policies.map((policy) => `${policy.app ?? 'all other apps'}: ${policy.mode}`),
        goal: null,
      };
    },
  };
}
