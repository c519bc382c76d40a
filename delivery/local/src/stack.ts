/** Things that must be closed, closed last in first out. */
export interface Stack {
  use<T extends { close(): Promise<void> }>(resource: T): T;
  close(): Promise<void>;
}

/** Collects what a start has opened so far, so that a later failure (or the end) closes all of it. */
export function createStack(): Stack {
  const opened: { close(): Promise<void> }[] = [];
  return {
    use(resource) {
      opened.push(resource);
      return resource;
    },
    async close() {
      for (let resource = opened.pop(); resource; resource = opened.pop()) await resource.close();
    },
  };
}
