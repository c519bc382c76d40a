import { createCompressingTurns } from '../kernel/compressing.ts';
import { siteConfig } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';
import { weighDocuments } from './weigh-documents.ts';

/** Weighs the table of a release with this many redirects of 37 bytes. */
function weighTable(count: number) {
  const redirects = Array.from({ length: count }, (_, index) => ({
    from: `/old/${String(index).padStart(5, '0')}`,
    to: '/blocks',
  }));
  const set = { shell: shellManifest(), remotes: [remoteManifest('mfe-blocks', { redirects })] };
  const context = { store: undefined as never, compressing: createCompressingTurns() };
  return weighDocuments(context, { set, weighed: [], config: siteConfig, rendered: [], turn: '' });
}

test('a table over a million bytes is rejected, even if it compresses well', async () => {
  expect((await weighTable(20_000)).budgets).toMatchObject([
    { name: 'table of remotes, routes and redirects', bytes: expect.any(Number) as number },
  ]);
  await expect(weighTable(30_000)).rejects.toMatchObject({
    code: 'budget_exceeded',
    detail: expect.stringMatching(/^The release would be too large: .* at most 1000000\. /) as string,
  });
});
