/** Measurements of this site. A test compares them with docs/benchmarks.md. */
export const siteFigures = [
  { value: '7.7 ms', label: 'median time to create a guest', command: 'npm run bench:services' },
  {
    value: '62 ms',
    label: 'median time to roll back a release on three edges',
    command: 'npm run bench:delivery',
  },
  { value: '84.9 KB', label: 'of scripts until this page responds', command: 'npm run bench:pages' },
  { value: '456 ms', label: 'until this page shows, on a slow phone', command: 'npm run bench:pages' },
] as const;
