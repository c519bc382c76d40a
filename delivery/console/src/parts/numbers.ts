/** Such as `1,234`. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** Such as `1 page`, `3 pages`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Such as `2.5`. */
export const perThousand = (rate: number): string => (rate * 1000).toFixed(rate * 1000 < 10 ? 1 : 0);

export const milliseconds = (time: number | null): string =>
  time === null ? '–' : `${count(Math.round(time))} ms`;
