/**
 * Fails a test that unexpectedly writes to the console, because visitors' consoles would show it too. A test
 * that expects a message spies on the method itself (`jest.spyOn(console, 'error')`).
 */
const methods = ['error', 'warn'] as const;
let unexpected: string[] = [];

beforeEach(() => {
  unexpected = [];
  for (const method of methods) {
    jest.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      unexpected.push(`console.${method}: ${parts.map(String).join(' ')}`);
    });
  }
});

afterEach(() => {
  const messages = unexpected;
  jest.restoreAllMocks();
  if (messages.length > 0) throw new Error(`The test wrote to the console:\n${messages.join('\n')}`);
});
export {};
