import { join } from 'node:path';
import { sampleRemote } from '../delivery/harness/sample-apps.ts';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

describe('a remote that claims operator paths or output', () => {
  let site: AttackSite;
  beforeAll(async () => {
    site = await startAttackSite();
  });
  afterAll(() => site.stop());

  const ask = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };

  test('cannot publish a page at a path of the web server, with or without the command line', async () => {
    const { code, err } = await site.publish(join(packagesFolder, 'mfe-takeover'));
    expect(code).toBe(1);
    expect(err).toContain('The path "/readyz" is reserved for the web server');

    const { manifest } = sampleRemote('mfe-takeover', ['/metrics'], 'hostile');
    const response = await fetch(`${site.registryUrl}/v1/versions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens.ops}`, 'content-type': 'application/json' },
      body: JSON.stringify(manifest),
    });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('is reserved for the web server');

    expect((await ask(`${site.opsUrl}/readyz`)).status).toBe(200);
    expect((await ask(`${site.opsUrl}/metrics`)).text).toContain('site_edge_release{release="r1"} 1');
    expect((await ask(`${site.edgeUrl}/metrics`)).status).toBe(404);
    expect((await ask(`${site.edgeUrl}/__site/ready`)).status).toBe(200);
  });

  test('cannot control the terminal of a user who reads why its page was rejected', async () => {
    for (const more of [[], ['--json']]) {
      const { code, err } = await site.publish(join(packagesFolder, 'mfe-terminal'), ...more);
      expect(code).toBe(1);
      expect(err).toContain('u001b[2J');
      expect(err).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}]/u);
      expect(err).not.toMatch(/^site: published/m);
    }
  });
});
