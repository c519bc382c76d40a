/** What was typed into one field, separated by spaces or commas. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
