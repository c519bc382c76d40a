import { readdirSync, readFileSync } from 'node:fs';

export function descendants(pid: number, unrelated: ReadonlySet<number> = new Set()): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = parentPid(Number(name));
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const add = (parent: number) => {
    for (const child of parents.get(parent) ?? []) {
      if (unrelated.has(child)) continue;
      found.push(child);
      add(child);
    }
  };
  add(pid);
  return found;
}

/** Whether a process runs. Zombies do not count. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function parentPid(pid: number): number | null {
  try {
    return Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}
