import { changeLines } from '@site/contract/change-lines';
import { servesLive } from '@site/contract/edge-goals';
import type { AppVersion, ConsoleAction } from './action.ts';

interface Owned {
  app: string;
  owner: string;
  paths: readonly string[];
}

const ownedLine = ({ app, owner, paths }: Owned) =>
  `${app} belongs to ${owner}; reserved paths: ${paths.join(', ') || 'none'}`;

export function createApp({ app, owner, paths }: Owned): ConsoleAction {
  return {
    title: `Register ${app || 'an app'}`,
    confirm: `Register ${app}`,
    reasons: null,
    needs: ['ops'],
    async run(ask, { dryRun, key }) {
      const made = await ask('createApp', { body: { app, owner, paths: [...paths], dryRun } }, key);
      return { changed: made.changed, says: `${app} is registered`, lines: [ownedLine(made)], goal: null };
    },
  };
}

export function transferApp(app: string, owner: string): ConsoleAction {
  return {
    title: `Transfer ${app} to another team`,
    confirm: `Give ${app} to ${owner}`,
    reasons: ['Another team owns it now'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key }) {
      const made = await ask('changeApp', { params: { app }, body: { owner, reason, dryRun } }, key);
      const { changed, tokens = [] } = made;
      return {
        changed,
        says: `${app} belongs to ${owner}`,
        lines: [
          ownedLine(made),
          tokens.length === 0
            ? 'only tokens of ops may publish or activate it'
            : `these tokens may still publish or activate it: ${tokens.join(', ')}`,
        ],
        goal: null,
      };
    },
  };
}

export function retire(channel: string, { app, version }: AppVersion, to: string): ConsoleAction {
  return {
    title: `Retire ${app}`,
    confirm: `Take ${app} off the site`,
    reasons: ['It is no longer needed', 'It should not have gone live', 'Another page has replaced it'],
    needs: [`activate:${app}`],
    about: [{ app, version }],
    async run(ask, { reason, dryRun, key, live }) {
      const where = to === '' ? {} : { to };
      // The dry run listed the pages that link to it.
      const seen = live === undefined ? {} : { ifLive: live };
      const body = { app, ...where, ...seen, reason, dryRun, despiteLinks: true };
      const answer = await ask('retireApp', { params: { channel }, body }, key);
      return {
        changed: answer.changed,
        says: `${answer.release.id} is live on ${channel}, without ${app}`,
        lines: [
          to === '' ? 'its paths respond with 410 Gone' : `its paths redirect to ${to}`,
          ...changeLines(answer),
        ],
        goal: servesLive(answer.release.id),
      };
    },
  };
}

export function bringBack(channel: string, app: string): ConsoleAction {
  return {
    title: `Bring ${app} back`,
    confirm: `Restore ${app} on the site`,
    reasons: ['It was retired by mistake', 'It is needed again'],
    needs: [`activate:${app}`],
    async run(ask, { reason, dryRun, key }) {
      const answer = await ask('rollBack', { params: { channel }, body: { app, reason, dryRun } }, key);
      const { id } = answer.release;
      return {
        changed: answer.changed,
        says: `${id} is live on ${channel}, with ${app}`,
        lines: changeLines(answer),
        goal: servesLive(id),
      };
    },
  };
}
