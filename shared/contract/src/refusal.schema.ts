import * as v from 'valibot';

/** A refusal, as JSON:API writes it. */
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

/** A refusal in words. The rule that a field breaks does not name the field, its pointer does: `reason: Use at most …`. */
export function explain({ code, detail, source }: Refused): string {
  const field = source?.pointer?.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
  return code === 'body_invalid' && field ? `${field}: ${detail}` : detail;
}
