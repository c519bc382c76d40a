/** Whether a text is a whole number from `from` to `to`, written in digits alone: no sign, no exponent, no spaces. */
export function isWholeNumber(text: string, from: number, to: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
}
