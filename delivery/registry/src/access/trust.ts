import type { Provenance } from '@site/contract/provenance';
import type { Scope } from '@site/contract/registry-calls/scopes';
import { visibleLine } from '@site/contract/text';

export interface Trust {
  id: string;
  app: string;
  issuer: string;
  subject: string;
  audience: string;
  claims: Record<string, string>;
  activate: boolean;
}

export interface IdToken {
  issuer: string;
  subject: string;
  audience: string;
  claims: Readonly<Record<string, unknown>>;
  /** Hash of the signed part. */
  digest: string;
  expiresAt: Date;
}

export interface Grant {
  trusts: Trust[];
  scopes: Scope[];
}

/**
 * @param trusts of its issuer.
 * @returns the grant, or why there is none. The reason does not disclose a trust's requirements, because others may
 * have tokens of the same issuer.
 */
export function matchTrusts(trusts: readonly Trust[], idToken: IdToken): Grant | { refused: string } {
  const { subject, audience, claims } = idToken;
  const ofSubject = trusts.filter((trust) => fits(trust.subject, subject));
  if (ofSubject.length === 0) return { refused: `No trust fits its subject "${subject}".` };
  const ofAudience = ofSubject.filter((trust) => trust.audience === audience);
  if (ofAudience.length === 0) {
    return {
      refused: `A trust fits its subject "${subject}", but none of these trusts fits its audience "${audience}".`,
    };
  }
  const fitting = ofAudience.filter((trust) => unmetClaims(trust, claims).length === 0);
  if (fitting.length === 0) {
    const names = [...new Set(ofAudience.flatMap((trust) => unmetClaims(trust, claims)))];
    const shown = names.map((name) => `"${name}" is ${shownValue(claims, name)}`);
    return {
      refused: `A trust fits its subject "${subject}", but wants other claims: ${shown.join(', ')}.`,
    };
  }
  const scopes = fitting.flatMap(({ app, activate }): string[] => [
    `publish:${app}`,
    ...(activate ? [`activate:${app}`] : []),
  ]);
  return { trusts: fitting, scopes: [...new Set(scopes)] };
}

function unmetClaims(trust: Trust, claims: IdToken['claims']): string[] {
  return Object.entries(trust.claims).flatMap(([name, wanted]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isText && fits(wanted, String(value)) ? [] : [name];
  });
}

function shownValue(claims: IdToken['claims'], name: string): string {
  const value = Object.hasOwn(claims, name) ? JSON.stringify(claims[name]) : 'missing';
  return visibleLine(value.slice(0, 100));
}

/** A final `*` matches at least one character. */
function fits(pattern: string, text: string): boolean {
  if (!pattern.endsWith('*')) return text === pattern;
  return text.startsWith(pattern.slice(0, -1)) && text.length >= pattern.length;
}

/** The name in the history. Tokens created by ops cannot contain parentheses. */
export function subjectName({ subject, issuer }: IdToken): string {
  return `${subject} (${issuer.replace(/^https?:\/\//, '')})`;
}

/** The issuer of GitHub's tokens, with a path for enterprises. GitHub's web pages are on another host. */
const GITHUB_TOKENS = 'https://token.actions.githubusercontent.com';

export function toProvenance({ issuer, subject, claims }: IdToken): Provenance {
  const text = (name: string, form: RegExp) => {
    const value = claims[name];
    const said = typeof value === 'number' ? String(value) : value;
    return typeof said === 'string' && said.length <= 300 && form.test(said) ? said : null;
  };
  const { origin } = new URL(issuer);
  const server = origin === GITHUB_TOKENS ? 'https://github.com' : origin;
  const path = text('repository', PATH) ?? text('project_path', PATH);
  const repository = path === null ? null : `${server}/${path}`;
  const [runId, pipeline] = [text('run_id', NUMBER), text('pipeline_id', NUMBER)];
  const run = runId === null ? pipeline && `/-/pipelines/${pipeline}` : `/actions/runs/${runId}`;
  return {
    verified: true,
    repository,
    commit: text('sha', /^[0-9a-f]{40}([0-9a-f]{24})?$/),
    ref: text('ref', /^[^\p{C}\p{Zl}\p{Zp}]+$/u),
    run: repository && run ? `${repository}${run}` : null,
    issuer,
    subject,
  };
}

const PATH = /^[\w.-]+(\/[\w.-]+)+$/;
const NUMBER = /^\d{1,20}$/;
