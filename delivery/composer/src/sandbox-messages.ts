import * as v from 'valibot';

/** A page can send anything, so the composer validates every reply here. */
export const SandboxReplySchema = v.union([
  v.strictTuple([v.literal('loaded')]),
  v.strictTuple([v.literal('rendered'), v.string(), v.string()]),
  v.strictTuple([v.literal('rendered')]),
  v.strictTuple([
    v.literal('failed'),
    v.picklist(['shell', 'remote', 'missing', 'page']),
    v.string(),
    v.string(),
    v.string(),
  ]),
]);
export type SandboxReply = v.InferOutput<typeof SandboxReplySchema>;

/** First load the two bundles, then render one page at a time. Each request is preceded by an id. */
export type SandboxRequest =
  | ['load', shell: Uint8Array, remote: Uint8Array]
  | ['render', path: string, module: string, variants: string, config: string];
