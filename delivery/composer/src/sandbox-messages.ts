import * as v from 'valibot';

/**
 * What a sandbox may answer: the parts of its frame after the id of the request. A page can send whatever it likes, so all
 * of it is looked at here, in the composer.
 */
export const SandboxReplySchema = v.union([
  v.strictTuple([v.literal('loaded')]),
  v.strictTuple([v.literal('rendered'), v.string(), v.string()]),
  // The shell gave something other than two texts.
  v.strictTuple([v.literal('rendered')]),
  v.strictTuple([
    v.literal('failed'),
    v.picklist(['shell', 'remote', 'missing', 'page']),
    /** Name, message and stack of the error. */
    v.string(),
    v.string(),
    v.string(),
  ]),
]);
export type SandboxReply = v.InferOutput<typeof SandboxReplySchema>;

/** What the composer asks: first to load the two bundles, then one page at a time. An id goes before it. */
export type SandboxRequest =
  | ['load', shell: Uint8Array, remote: Uint8Array]
  | ['render', path: string, module: string, variants: string, config: string];
