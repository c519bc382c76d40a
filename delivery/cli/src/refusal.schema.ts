import * as v from 'valibot';

/** A refusal, as JSON:API writes it. */
export const RefusalSchema = v.object({
  errors: v.pipe(v.array(v.object({ code: v.string(), detail: v.string() })), v.minLength(1)),
});
