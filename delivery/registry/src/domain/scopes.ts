import * as v from 'valibot';

/** What a token may do. `ops` includes everything else; reading is allowed to every token. */
export const ScopeSchema = v.pipe(
  v.string(),
  v.regex(
    /^(ops|read|(publish|activate):(shell|mfe-[a-z0-9]+(-[a-z0-9]+)*))$/,
    'A scope is "ops", "read", "publish:<app>" or "activate:<app>".',
  ),
);
export type Scope = v.InferOutput<typeof ScopeSchema>;

/** Whether a token with these scopes may do what needs that one. */
export function allows(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.includes('ops') || scopes.includes(needed);
}

/** Whether a token may publish at all, whichever app: needed to upload files before their version is known. */
export function allowsPublishing(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => scope === 'ops' || scope.startsWith('publish:'));
}
