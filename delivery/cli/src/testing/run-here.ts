import type { Environment } from '../environment.ts';
import { createIo, type Sink } from '../output.ts';
import type { Place } from '../repository.ts';
import { runSite } from '../run-site.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs `site <args>` in this process, ten times faster than in a child process. */
export function runHere(root: string, env: Environment, ...args: string[]): Promise<Ran> {
  return runAt({ root, ownApp: null }, env, ...args);
}

export async function runAt(place: Place, env: Environment, ...args: string[]): Promise<Ran> {
  const written = { out: '', err: '' };
  const io = createIo(sink('out', written), sink('err', written), false);
  return { code: await runSite(args, { ...place, env, io }), ...written };
}

function sink(name: 'out' | 'err', written: { out: string; err: string }): Sink {
  const kept = {
    on: () => kept,
    write(text: string) {
      written[name] += text;
      return true;
    },
  };
  return kept as unknown as Sink;
}
