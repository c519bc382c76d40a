import { join } from 'node:path';
import { until } from '../e2e/harness/until.ts';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

let site: AttackSite | undefined;
afterAll(() => site?.stop());

test("a remote full of another team's words does not take the first places of the search from it", async () => {
  site = await startAttackSite();
  const { edgeUrl } = site;
  const found = async () => {
    const answer = await fetch(`${edgeUrl}/__site/search?q=good`);
    return ((await answer.json()) as { results: { href: string }[] }).results.map(({ href }) => href);
  };
  expect(await site.publish(join(packagesFolder, 'mfe-loud'))).toMatchObject({ code: 0 });
  expect(await site.site('activate', 'mfe-loud')).toMatchObject({ code: 0 });
  await until(async () => (await found()).some((href) => href.startsWith('/loud/')));
  expect((await found()).slice(0, 2)).toContainEqual(expect.stringMatching(/^\/good/));
});
