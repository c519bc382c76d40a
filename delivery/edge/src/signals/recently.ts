import { TOKEN_MS } from './token.ts';

/** What is remembered for as long as a token can be good, and forgotten soon after. */
interface Recently<Value> {
  get(key: string): Value | undefined;
  /** False when there is no room for another key: what is new is not remembered then, rather than what is old forgotten. */
  set(key: string, value: Value): boolean;
}

/** @param most so many keys are remembered. */
export function createRecently<Value>(now: () => number, most: number): Recently<Value> {
  // Two halves of a memory that forgets: what is in the older one belongs to tokens that have ended when it goes.
  let recent = new Map<string, Value>();
  let former = new Map<string, Value>();
  let turnedAt = now();

  function turn(): void {
    const age = now() - turnedAt;
    if (age < TOKEN_MS) return;
    former = age >= 2 * TOKEN_MS ? new Map<string, Value>() : recent;
    recent = new Map();
    turnedAt = now();
  }

  return {
    get(key) {
      turn();
      return recent.get(key) ?? former.get(key);
    },
    set(key, value) {
      turn();
      const isKnown = recent.has(key) || former.has(key);
      if (!isKnown && recent.size + former.size >= most) return false;
      recent.set(key, value);
      return true;
    },
  };
}
