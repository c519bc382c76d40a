import * as v from 'valibot';

export const EdgeIdSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'An edge id has 1 to 64 letters, digits, ".", "_" or "-".'),
);

export const ScopeSchema = v.pipe(
  v.string(),
  v.regex(
    /^(ops|read|inbox|edge:[A-Za-z0-9._-]{1,64}|(publish|activate):(shell|mfe-[a-z0-9]+(-[a-z0-9]+)*))$/,
    'A scope is "ops", "read", "inbox", "edge:<id>", "publish:<app>" or "activate:<app>".',
  ),
);
export type Scope = v.InferOutput<typeof ScopeSchema>;

/** A scope that a call always requires; the last two match any app and any edge. */
export type Needed = 'ops' | 'read' | 'inbox' | 'publish:<app>' | 'edge:<id>';
