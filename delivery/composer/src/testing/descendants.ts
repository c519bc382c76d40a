import { readdirSync, readFileSync } from 'node:fs';

/** The processes that a process has started, and those that they have started (Linux), without `strangers` and theirs. */
export function descendants(pid: number, strangers: ReadonlySet<number> = new Set()): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = parentOf(Number(name));
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const add = (parent: number) => {
    for (const child of parents.get(parent) ?? []) {
      if (strangers.has(child)) continue;
      found.push(child);
      add(child);
    }
  };
  add(pid);
  return found;
}

/** Whether a process runs. One that has ended and was not yet collected by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function parentOf(pid: number): number | null {
  try {
    return Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
