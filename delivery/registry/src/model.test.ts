import fc from 'fast-check';
import { step, type Step } from './testing/model/actions.ts';
import { createInvariants } from './testing/model/invariants.ts';
import { startServers, TwoRegistries, type Servers } from './testing/model/two-registries.ts';

/**
 * Random calls to two registries over one PostgreSQL, whose connections are cut before and after COMMIT. `npm run fuzz`
 * makes ten times as many; `FUZZ_SEED=2` selects others.
 */

const RUNS = 8 * Number(process.env['FUZZ_FACTOR'] ?? 1);
const STEPS_OF_EACH = 600;
/** Replaces the test timeout, which `npm run fuzz` exceeds. */
const LIMIT_MS = RUNS * 300_000;

interface Real {
  system: TwoRegistries;
  invariants: ReturnType<typeof createInvariants>;
}

class StepCommand implements fc.AsyncCommand<object, Real> {
  private readonly step: Step;

  constructor(taken: Step) {
    this.step = taken;
  }

  check(): boolean {
    return true;
  }

  async run(_: object, { system, invariants }: Real): Promise<void> {
    await system.carryOut(this.step);
    await invariants.check();
  }

  toString(): string {
    return JSON.stringify(this.step);
  }
}

let servers: Servers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

test(
  'for random calls to two registries with random database failures, every invariant holds',
  async () => {
    const counts = { calls: 0, cuts: 0, changes: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.commands([step.map((taken) => new StepCommand(taken))], {
          maxCommands: STEPS_OF_EACH,
          size: 'max',
        }),
        async (commands) => {
          const system = await TwoRegistries.start(servers);
          try {
            const invariants = createInvariants(system);
            await fc.asyncModelRun(() => ({ model: {}, real: { system, invariants } }), commands);
            await system.expectTokens();
            await system.verify(0);
            await invariants.checkEnd();
          } finally {
            for (const name of ['calls', 'cuts', 'changes'] as const) counts[name] += system.counts[name];
            await system.stop();
          }
        },
      ),
      // It ends before the test does, so that a failure shows the shortest sequence found so far.
      {
        numRuns: RUNS,
        plugins: [fc.interruptAfterTimeLimit(LIMIT_MS * 0.9, { failOnInterrupt: true })],
      },
    );
    // The calls have effects, and connections were cut.
    expect(counts.calls).toBeGreaterThan(RUNS * 150);
    expect(counts.changes).toBeGreaterThan(counts.calls / 4);
    expect(counts.cuts).toBeGreaterThan(RUNS * 10);
  },
  LIMIT_MS,
);
