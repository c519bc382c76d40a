import { join } from 'node:path';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

describe('a remote that attacks the process in which its pages are rendered', () => {
  let site: AttackSite;
  beforeAll(async () => {
    site = await startAttackSite();
  });
  afterAll(() => site.stop());

  test('is refused when it ends that process, and others publish on', async () => {
    const { code, err } = await site.publish(join(packagesFolder, 'mfe-exit'));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('/exit') as string });
    expect(await site.assertOthersAreWell()).toContain('edition');
  });
});
