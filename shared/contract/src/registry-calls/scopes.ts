import * as v from 'valibot';

/** Names an edge, in its token's scope and in what it reports. */
export const EdgeIdSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'An edge id has 1 to 64 letters, digits, ".", "_" or "-".'),
);

/**
 * What a token may do. `ops` includes everything else. `inbox` alone, beside it, shows what visitors sent. What is live may be read with every token. `edge:<id>` speaks for
 * that edge, and for no other.
 */
export const ScopeSchema = v.pipe(
  v.string(),
  v.regex(
    /^(ops|read|inbox|edge:[A-Za-z0-9._-]{1,64}|(publish|activate):(shell|mfe-[a-z0-9]+(-[a-z0-9]+)*))$/,
    'A scope is "ops", "read", "inbox", "edge:<id>", "publish:<app>" or "activate:<app>".',
  ),
);
export type Scope = v.InferOutput<typeof ScopeSchema>;

/** A scope that a call always needs; the last two stand for that of any app, and of any edge. */
export type Needed = 'ops' | 'read' | 'inbox' | 'publish:<app>' | 'edge:<id>';
