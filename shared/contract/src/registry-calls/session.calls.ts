import * as v from 'valibot';
import { SECRET } from '../secret.schema.ts';
import { call } from './call.ts';

export const CONSOLE_PATH = '/console';
export const SESSION_PATH = `${CONSOLE_PATH}/session`;

/**
 * Required with the value `1` for every change with a session cookie: cross-site forms and links cannot send
 * it.
 */
export const CONSOLE_HEADER = 'x-console';

export const LINK_FRAGMENT = 'code';

const LinkCodeSchema = v.pipe(
  v.string(),
  v.regex(SECRET, 'A code is 43 letters, digits, "-" and "_", as in the link.'),
);

export const SignInSchema = v.union(
  [v.strictObject({ token: v.pipe(v.string(), v.maxLength(200)) }), v.strictObject({ code: LinkCodeSchema })],
  'Sign in with { "token": … } or with { "code": … }.',
);
export type SignIn = v.InferOutput<typeof SignInSchema>;

export const SessionSchema = v.object({
  name: v.string(),
  scopes: v.array(v.string()),
  apps: v.object({ publish: v.nullable(v.array(v.string())), activate: v.nullable(v.array(v.string())) }),
  expiresAt: v.nullable(v.string()),
  session: v.boolean(),
  tokenId: v.string(),
});
export type Session = v.InferOutput<typeof SessionSchema>;

/** `GET /console/session`: the current session. Null without one, so that browsers log no error. */
export const WhoSchema = v.object({ who: v.nullable(SessionSchema) });

const ConsoleLinkSchema = v.object({
  path: v.string(),
  expiresAt: v.string(),
});

export const sessionCalls = {
  readSession: call({
    method: 'GET',
    path: '/v1/session',
    summary: 'Read the current token and its permissions',
    answer: SessionSchema,
    scope: 'any token',
  }),
  makeConsoleLink: call({
    method: 'POST',
    path: '/v1/console-links',
    summary: 'Create a sign-in link for the console',
    description:
      "Works once, within a minute. The person who opens it gets this token's permissions until the token ends.",
    body: v.strictObject({}),
    answer: ConsoleLinkSchema,
    created: true,
    scope: 'any token',
  }),
};
