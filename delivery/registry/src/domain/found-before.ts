/**
 * Keeps what was found out about contents that never change, so that it is not found out again: the answers that were asked for
 * last, as many as fit.
 */
export function foundBefore<T>(most: number): {
  get(question: string): T | undefined;
  add(question: string, answer: T): void;
} {
  const answers = new Map<string, T>();
  return {
    get(question) {
      const answer = answers.get(question);
      if (answer === undefined) return undefined;
      // A map lists what was put last at its end.
      answers.delete(question);
      answers.set(question, answer);
      return answer;
    },
    add(question, answer) {
      answers.set(question, answer);
      const [oldest] = answers.keys();
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
    },
  };
}
