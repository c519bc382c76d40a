/** Whether a text is a whole number from `from` to `to`: digits only, no sign, exponent or spaces. */
export function isWholeNumber(text: string, from: number, to: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
}

/** Null if it is not a whole number. */
export function wholeNumberOf(text: string | null | undefined, from: number, to: number): number | null {
  return text != null && isWholeNumber(text, from, to) ? Number(text) : null;
}
