import * as v from 'valibot';
import { SECRET } from '../secret.schema.ts';
import { call } from './call.ts';

/** Where the registry serves the console, and below it a person's session in it. */
export const CONSOLE_PATH = '/console';
export const SESSION_PATH = `${CONSOLE_PATH}/session`;

/** Every change that is sent with the cookie of a session carries it, with the value `1`: no form and no link can send it. */
export const CONSOLE_HEADER = 'x-console';

/** The part of a link's address, after `#`, that holds its code. */
export const LINK_FRAGMENT = 'code';

/** The code of a link: 256 random bits in base64url. */
const LinkCodeSchema = v.pipe(
  v.string(),
  v.regex(SECRET, 'A code is 43 letters, digits, "-" and "_", as the link has it.'),
);

/** `POST /console/session`: what one signs in with, a token or the code of a link. */
export const SignInSchema = v.union(
  [v.strictObject({ token: v.pipe(v.string(), v.maxLength(200)) }), v.strictObject({ code: LinkCodeSchema })],
  'Sign in with { "token": … } or with { "code": … }.',
);
export type SignIn = v.InferOutput<typeof SignInSchema>;

/** Who asks. Signing in answers the same. */
export const SessionSchema = v.object({
  name: v.string(),
  scopes: v.array(v.string()),
  /** The apps that the scopes name; null stands for all of them. */
  apps: v.object({ publish: v.nullable(v.array(v.string())), activate: v.nullable(v.array(v.string())) }),
  /** When the token, or the session before it, expires. Null: never. */
  expiresAt: v.nullable(v.string()),
  /** Whether this is a session of the console, and not the token itself. */
  session: v.boolean(),
  /** The id of the token, which cannot revoke itself. */
  tokenId: v.string(),
});
export type Session = v.InferOutput<typeof SessionSchema>;

/** `GET /console/session`: who is signed in; nobody is an answer like any other, and no failure in the browser's log. */
export const WhoSchema = v.object({ who: v.nullable(SessionSchema) });

const ConsoleLinkSchema = v.object({
  /** Below the registry's address: `/console#code=…`. Good once, and until then. */
  path: v.string(),
  expiresAt: v.string(),
});

/** Who asks, and the way from the command line into the console. */
export const sessionCalls = {
  readSession: call({
    method: 'GET',
    path: '/v1/session',
    summary: 'Who asks, and what that token may do',
    answer: SessionSchema,
    scope: 'any token',
  }),
  makeConsoleLink: call({
    method: 'POST',
    path: '/v1/console-links',
    summary: 'Make a link into the console',
    description:
      'Works once, within a minute. The person who opens it may do what this token may, until the token ends.',
    body: v.strictObject({}),
    answer: ConsoleLinkSchema,
    created: true,
    scope: 'any token',
  }),
};
