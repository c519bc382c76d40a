export const FAULT_TEXT_LENGTH = 200;

export function faultMessage(text: string): string {
  return text
    .replace(/[\n\r][^]*/, '')
    .slice(0, FAULT_TEXT_LENGTH)
    .replace(/\?\S*/g, '?')
    .replace(/[^\s@]{0,64}@\S*/g, '@')
    .replace(/\d{5,}/g, '#');
}
