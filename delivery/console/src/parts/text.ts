import type { Health } from '@site/contract/registry-calls/view.calls';

export const count = (value: number): string => value.toLocaleString('en-US');

export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const perThousand = (rate: number): string => (rate * 1000).toFixed(rate * 1000 < 10 ? 1 : 0);

export const milliseconds = (time: number | null): string =>
  time === null ? '–' : `${count(Math.round(time))} ms`;

export const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

export function healthText({ views, faults, lcp, inp }: Health): string {
  if (!faults) return 'no views';
  return [
    `${perThousand(faults.rate)} faults per 1,000 of ${counted(views, 'view')}`,
    ...(lcp === null ? [] : [`LCP ${milliseconds(lcp)}`]),
    ...(inp === null ? [] : [`INP ${milliseconds(inp)}`]),
  ].join(', ');
}
