import { timeText } from '@site/contract/time-text';
import type { ConsoleAction } from './action.ts';

/** A link that shows a version before it is live. */
export function preview(channel: string, app: string, version: string): ConsoleAction {
  return {
    title: `Preview ${app}@${version}`,
    confirm: 'Make the preview link',
    reasons: null,
    needs: [[`publish:${app}`, `activate:${app}`]],
    about: [{ app, version }],
    async run(ask, { dryRun, key }) {
      const body = { app, version, channel: channel as 'production', dryRun };
      const { url, expiresAt } = await ask('makePreview', { body }, key);
      return {
        changed: true,
        says: 'The preview link is made',
        lines: [
          `anyone with the link sees the live site with ${app}@${version}`,
          `it ends at ${timeText(expiresAt)}`,
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
    title: `Make the token "${name}"`,
    confirm: `Make the token "${name}"`,
    reasons: null,
    needs: ['ops'],
    async run(ask, { dryRun, key }) {
      const made = await ask('makeToken', { body: { name, scopes, expiresInDays, dryRun } }, key);
      return {
        changed: true,
        says: `The token "${made.name}" is made`,
        lines: [
          `it may: ${made.scopes.join(', ')}`,
          made.expiresAt === null ? 'it does not end' : `it ends at ${timeText(made.expiresAt)}`,
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
        lines: ['it is refused from now on; this cannot be undone'],
        goal: null,
      };
    },
  };
}

/** An edge that does not answer, and will not come back. */
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
        lines: [`it has not answered since ${timeText(seenAt)}; if it comes back, it is listed again`],
        goal: null,
      };
    },
  };
}

export function endPreview(preview: string, app: string): ConsoleAction {
  return {
    title: `End a preview link of ${app}`,
    confirm: 'End the preview link',
    reasons: ['It is no longer needed', 'The link may have leaked'],
    needs: [[`publish:${app}`, `activate:${app}`]],
    async run(ask, { reason, dryRun, key }) {
      const { changed } = await ask('endPreview', { params: { preview }, body: { reason, dryRun } }, key);
      return {
        changed,
        says: 'The preview link has ended',
        lines: ['anyone with the link sees the live site again, from the next page on'],
        goal: null,
      };
    },
  };
}
