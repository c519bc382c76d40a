const engineNames = { chromium: 'Chromium-based browsers', gecko: 'Firefox', webkit: 'Safari' } as const;
export type NamedEngine = keyof typeof engineNames;
export const namedEngines = Object.keys(engineNames) as NamedEngine[];

export type Engine = NamedEngine | 'other';

export const engineName = (engine: NamedEngine): string => engineNames[engine];
