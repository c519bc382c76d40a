import { timeText } from '@site/contract/text';
import type { ConsoleAction } from './action.ts';

export function preview(channel: string, app: string, version: string): ConsoleAction {
  return {
    title: `Preview ${app}@${version}`,
    confirm: 'Create the preview link',
    reasons: null,
    needs: [[`publish:${app}`, `activate:${app}`]],
    about: [{ app, version }],
    async run(ask, { dryRun, key }) {
      const body = { app, version, channel: channel as 'production', dryRun };
      const { url, expiresAt } = await ask('makePreview', { body }, key);
      return {
        changed: true,
        says: 'The preview link is created',
        lines: [
          `anyone with the link sees the live site with ${app}@${version}`,
          `it expires at ${timeText(expiresAt)}`,
        ],
        goal: null,
        ...(url === null ? {} : { secret: { label: 'Preview link', value: url } }),
      };
    },
  };
}

export interface WantedToken {
  name: string;
  scopes: string[];
  expiresInDays: number;
}

export function makeToken({ name, scopes, expiresInDays }: WantedToken): ConsoleAction {
  return {
    title: `Create the token "${name}"`,
    confirm: `Create the token "${name}"`,
    reasons: null,
    needs: ['ops'],
    async run(ask, { dryRun, key }) {
      const made = await ask('makeToken', { body: { name, scopes, expiresInDays, dryRun } }, key);
      return {
        changed: true,
        says: `The token "${made.name}" is created`,
        lines: [
          `it may: ${made.scopes.join(', ')}`,
          made.expiresAt === null ? 'it does not expire' : `it expires at ${timeText(made.expiresAt)}`,
        ],
        goal: null,
        ...(made.token === null ? {} : { secret: { label: 'Token', value: made.token } }),
      };
    },
  };
}

export function revokeToken(token: { id: string; name: string }): ConsoleAction {
  return {
    title: `Revoke the token "${token.name}"`,
    confirm: `Revoke "${token.name}" for good`,
    reasons: ['It is no longer needed', 'It may have leaked', 'The person who used it has left'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key }) {
      const { changed } = await ask(
        'revokeToken',
        { params: { token: token.id }, body: { reason, dryRun } },
        key,
      );
      return {
        changed,
        says: `The token "${token.name}" is revoked`,
        lines: ['it no longer works; this cannot be undone'],
        goal: null,
      };
    },
  };
}

export function forgetEdge(edge: string): ConsoleAction {
  return {
    title: `Forget the edge ${edge}`,
    confirm: `Forget ${edge}`,
    reasons: ['The machine is gone'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key }) {
      const { seenAt } = await ask('forgetEdge', { params: { edge }, body: { reason, dryRun } }, key);
      return {
        changed: true,
        says: `${edge} is forgotten`,
        lines: [`no response since ${timeText(seenAt)}; it is listed again if it comes back`],
        goal: null,
      };
    },
  };
}

export function endPreview(preview: string, app: string): ConsoleAction {
  return {
    title: `Revoke a preview link of ${app}`,
    confirm: 'Revoke the preview link',
    reasons: ['It is no longer needed', 'The link may have leaked'],
    needs: [[`publish:${app}`, `activate:${app}`]],
    async run(ask, { reason, dryRun, key }) {
      const { changed } = await ask('endPreview', { params: { preview }, body: { reason, dryRun } }, key);
      return {
        changed,
        says: 'The preview link is revoked',
        lines: ['anyone with the link sees the live site again, starting with the next page'],
        goal: null,
      };
    },
  };
}
