/** Splits a field's text at spaces and commas. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
