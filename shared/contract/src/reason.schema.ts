import { textSchema } from './text.schema.ts';

export const ReasonSchema = textSchema('A reason says in a few words why; it stays in the history.', 500);
