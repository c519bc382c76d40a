import * as v from 'valibot';

export const RefusalSchema = v.object({
  errors: v.pipe(
    v.array(
      v.object({
        code: v.string(),
        detail: v.string(),
        source: v.optional(v.object({ pointer: v.optional(v.string()) })),
      }),
    ),
    v.minLength(1),
  ),
});
type Refused = v.InferOutput<typeof RefusalSchema>['errors'][number];

/**
 * The text of an error. A rule's message does not name its field, so the pointer is added: `reason: Use at
 * most …`.
 */
export function explain({ code, detail, source }: Refused): string {
  const field = source?.pointer?.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return code === 'body_invalid' && field ? `${field}: ${detail}` : detail;
}
