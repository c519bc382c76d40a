/** Display names of the engines that verdicts name. Every browser on iOS is WebKit. */
const engineNames = { chromium: 'Chromium-based browsers', gecko: 'Firefox', webkit: 'Safari' } as const;
export type NamedEngine = keyof typeof engineNames;
export const namedEngines = Object.keys(engineNames) as NamedEngine[];

/** `unknown`: the previous version of the edge does not send the engine. */
export type Engine = NamedEngine | 'other' | 'unknown';

export const nameOf = (engine: NamedEngine): string => engineNames[engine];
