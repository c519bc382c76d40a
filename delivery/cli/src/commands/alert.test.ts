import { forEachTest } from '@site/server/testing/for-each-test';
import { startAlertReceiver, type AlertReceiver } from '@site/registry/testing/alert-receiver';
import { createSiteHarness } from '../testing/site-harness.ts';

const harness = forEachTest(createSiteHarness);
let receiver: AlertReceiver;
beforeEach(async () => {
  receiver = await startAlertReceiver();
});
afterEach(() => receiver.stop());

describe('alert', () => {
  test('add prints only the secret; list, test and remove show only the origin of the URL', async () => {
    expect((await harness.site('alert', 'list')).out).toMatch(/^no webhooks: .*\nno problems\n$/);
    const added = await harness.site('alert', 'add', `${receiver.url}/secret-path`, '--format', 'chat');
    expect(added.out).toMatch(/^whsec_[A-Za-z0-9+/]{43}=\n$/);
    const [, id = ''] = /\(id ([\w-]+)\)/.exec(added.err) ?? [];
    const listed = await harness.site('alert', 'list');
    expect(listed.out).toMatch(new RegExp(`${id} +${receiver.url}/… +chat +acted suggested .* 0 +0 +-`));

    expect(await harness.site('alert', 'test', id)).toMatchObject({
      code: 0,
      out: `${receiver.url}/… accepted the test\n`,
    });
    expect(receiver.received.map(({ body }) => body)).toEqual([
      { text: 'This is a test: alerts of the site arrive here.' },
    ]);
    receiver.manners = [404];
    const refused = await harness.site('alert', 'test', id);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        'did not accept the test. It answered 404. (alert_not_delivered)',
      ) as string,
    });

    const remove = (...args: string[]) => harness.site('alert', 'remove', id, '--reason', 'a test', ...args);
    expect((await remove('--dry-run')).out).toMatch(
      /^dry run: nothing was changed; .* would get no more alerts\n/,
    );
    expect((await remove()).out).toBe(`${receiver.url}/… gets no more alerts\n`);
    expect(await remove()).toMatchObject({
      code: 1,
      err: expect.stringContaining('alert_hook_unknown') as string,
    });
    const audit = (await harness.site('audit')).out;
    expect(audit).toMatch(/alert-hook\.removed/);
    for (const { out, err } of [listed, refused, { out: audit, err: added.err }])
      expect(out + err).not.toContain('secret-path');
  });

  test('add accepts only known kinds and https', async () => {
    expect((await harness.site('alert', 'add', receiver.url, '--kinds', 'weather')).code).toBe(2);
    expect(await harness.site('alert', 'add', 'http://example.com')).toMatchObject({
      code: 1,
      err: expect.stringContaining('begins with "https://"') as string,
    });
    expect(
      (await harness.siteJson<{ kinds: string[] }>('alert', 'add', receiver.url, '--kinds', 'edge', 'store'))
        .kinds,
    ).toEqual(['edge', 'store']);
    expect((await harness.site('alert', 'add', receiver.url, '--dry-run')).out).toMatch(
      /^dry run: no hook was added/,
    );
  });
});
