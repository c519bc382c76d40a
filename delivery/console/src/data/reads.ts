import type { CallError } from './call-error.ts';
import type { AnswerTo, Ask, CallName, Sent } from './client.ts';

/** State of one response. With both `data` and `error` the data is stale: the last attempt failed. */
export interface Read<Data> {
  data: Data | undefined;
  error: CallError | null;
  at: number;
}

export interface Entry<Data> {
  get(): Read<Data>;
  subscribe(listener: () => void): () => void;
}

export interface Reads {
  entry<Name extends CallName>(name: Name, sent: Sent<Name>): Entry<AnswerTo<Name>>;
  /** Reads all visible data again. Resolves to whether all got a response. */
  refresh(): Promise<boolean>;
}

interface Kept {
  list: string;
  read: Read<unknown>;
  listeners: Set<() => void>;
  entry: Entry<unknown>;
  load(): Promise<void>;
}

const nothing: Read<unknown> = { data: undefined, error: null, at: 0 };

export function createReads(ask: Ask, onResult: (answered: boolean) => void): Reads {
  const kept = new Map<string, Kept>();

  function keep(key: string, list: string, load: () => Promise<unknown>): Kept {
    let underWay: Promise<void> | null = null;
    let next: Promise<void> | null = null;
    const tell = (read: Read<unknown>) => {
      made.read = read;
      for (const listener of made.listeners) listener();
    };
    const attempt = async () => {
      try {
        tell({ data: await load(), error: null, at: Date.now() });
        onResult(true);
      } catch (error) {
        const failed = error as CallError;
        tell({ ...made.read, error: failed });
        onResult(failed.failure !== 'no-answer');
      }
    };
    const begin = () => {
      next = null;
      underWay = attempt().finally(() => {
        underWay = null;
      });
      return underWay;
    };
    const made: Kept = {
      list,
      read: shorter(list),
      listeners: new Set(),
      entry: {
        get: () => made.read,
        subscribe(listener) {
          made.listeners.add(listener);
          // A refresh may have happened before its first listener.
          kept.set(key, made);
          if (made.listeners.size === 1 && !underWay) void made.load();
          return () => {
            made.listeners.delete(listener);
          };
        },
      },
      load() {
        // A read in progress may precede the reported change; the next one does not.
        if (underWay) next ??= underWay.then(begin);
        return next ?? begin();
      },
    };
    kept.set(key, made);
    return made;
  }

  /**
   * The shorter version of a growing list: shown until the longer one arrives, to keep the scroll position.
   */
  function shorter(list: string): Read<unknown> {
    for (const { read, listeners, list: of } of kept.values()) {
      if (of === list && listeners.size > 0) return { ...read, error: null };
    }
    return nothing;
  }

  return {
    entry<Name extends CallName>(name: Name, sent: Sent<Name>) {
      const key = `${name} ${JSON.stringify(sent)}`;
      const list = `${name} ${JSON.stringify(sent, (field, value: unknown) => (field === 'limit' ? 0 : value))}`;
      return (kept.get(key) ?? keep(key, list, () => ask(name, sent))).entry as Entry<AnswerTo<Name>>;
    },
    async refresh() {
      const shown: Kept[] = [];
      for (const [key, each] of kept) {
        // Unwatched data would be stale later.
        if (each.listeners.size === 0) kept.delete(key);
        else shown.push(each);
      }
      await Promise.all(shown.map((each) => each.load()));
      return shown.every((each) => each.read.error?.failure !== 'no-answer');
    },
  };
}
