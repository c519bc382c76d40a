import * as v from 'valibot';

/**
 * The name of an app: `shell` or `mfe-…`. Also used as workspace folder, federation container, folder under
 * `/assets/` and token scope, so it has only characters that are safe in all of them.
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

/** `<package version>-<12 hex digits of the content hash>`: an id always identifies one build. */
export const VersionIdSchema = v.pipe(
  v.string(),
  v.maxLength(60),
  v.regex(
    /^\d+\.\d+\.\d+-[0-9a-f]{12}$/,
    'A version id is "<package version>-<12 hex digits>", such as "1.0.0-3f2a9c01b7de".',
  ),
);
export type VersionId = v.InferOutput<typeof VersionIdSchema>;
