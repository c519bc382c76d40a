import { until } from '../e2e/harness/until.ts';
import { startAttackSite, type AttackSite } from './harness/attack-site.ts';

/** Shifts the clock of a process, as a machine without NTP. */
const shift =
  'const D=Date;globalThis.Date=class extends D{constructor(...a){if(a.length)super(...a);else super(D.now()+3e5)}' +
  'static now(){return D.now()+3e5}}';

let site: AttackSite | undefined;
afterAll(() => site?.stop());

test('a registry whose clock is 5 min ahead raises one alert, about its clock', async () => {
  site = await startAttackSite({
    registryEnv: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` },
  });
  const before = Date.now();
  const alerts = async () => {
    const { out } = await site!.site('alert', 'list', '--json');
    const { troubles } = JSON.parse(out) as { troubles: { kind: string; says: string; since: string }[] };
    // The sample configuration has no services.
    return troubles.filter(({ kind }) => kind !== 'service');
  };
  await until(async () => (await alerts()).length > 0);
  const [alert, ...others] = await alerts();
  expect(others).toEqual([]);
  expect(alert?.says).toMatch(
    /^The clock of the registry on .* is 5 min ahead of the database's: synchronize it/,
  );
  expect(Date.parse(alert?.since ?? '')).toBeLessThan(Date.now() + 60_000);
  expect(Date.parse(alert?.since ?? '')).toBeGreaterThan(before - 60_000);
  // Releases do not wait, and the edge is in service.
  await site.assertOthersAreWell();
  expect((await site.site('status')).out).toMatch(/edge-1 .* now$/m);
});
