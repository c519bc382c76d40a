import * as v from 'valibot';

/**
 * The name of an app: `shell` or `mfe-…`. It names the workspace folder, the federation container, the folder under
 * `/assets/` and the scope of tokens, so it is kept to characters that are safe in all of them.
 */
export const AppNameSchema = v.pipe(
  v.string(),
  v.maxLength(40),
  v.regex(
    /^(shell|mfe-[a-z0-9]+(-[a-z0-9]+)*)$/,
    'An app is named "shell" or "mfe-" followed by lower-case words joined by "-", such as "mfe-blocks".',
  ),
);
export type AppName = v.InferOutput<typeof AppNameSchema>;

/** `<package version>-<12 hex digits of the hash of the contents>`: one id can never mean two builds. */
export const VersionIdSchema = v.pipe(
  v.string(),
  v.maxLength(60),
  v.regex(
    /^\d+\.\d+\.\d+-[0-9a-f]{12}$/,
    'A version id is "<package version>-<12 hex digits>", such as "1.0.0-3f2a9c01b7de".',
  ),
);
export type VersionId = v.InferOutput<typeof VersionIdSchema>;
