import { namedEngines, engineName, type NamedEngine } from '@site/guard/engines';
import type { ByEngine } from './signal-sums.ts';

/** Highest probability that all faults are in one engine by chance, given its share of the views. */
const CHANCE = 0.001;

export function onlyIn(faults: ByEngine<number>, views: ByEngine<number>): string | null {
  const sum = (of: ByEngine<number>) => Object.values(of).reduce((total, count) => total + count, 0);
  const engine = namedEngines.find((name) => (faults[name] ?? 0) > 0);
  if (!engine || faults[engine] !== sum(faults)) return null;
  return engineShare(engine, views, sum(views)) ** sum(faults) <= CHANCE ? engineName(engine) : null;
}

const engineShare = (engine: NamedEngine, views: ByEngine<number>, all: number) =>
  all === 0 ? 1 : (views[engine] ?? 0) / all;
