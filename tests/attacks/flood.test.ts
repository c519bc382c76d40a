import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { sampleRemote } from '../delivery/harness/sample-apps.ts';
import { startAttackSite, type AttackSite } from './harness/attack-site.ts';

const APP = 'mfe-flooding';

/** Acceptable responses to a flood: rate limit, quota, full queue, or what is wrong with the request. */
const CLEAR = new Set(['rate_limited', 'quota_exceeded', 'composer_busy', 'compression_busy']);

describe('one publish token that floods the registry', () => {
  let site: AttackSite;
  let token: string;
  beforeAll(async () => {
    site = await startAttackSite({
      env: { QUOTA_VERSIONS: '8', PUBLISHES_PER_MINUTE: '10', UPLOAD_GIGABYTES_PER_HOUR: '1' },
    });
    await site.site('app', 'create', APP, '--owner', 'somebody', '--paths', '/flooding');
    const made = await site.site('token', 'create', APP, '--scope', `publish:${APP}`);
    token = made.out.trim();
  });
  afterAll(() => site.stop());

  /** Returns the error code, or the status. */
  async function send(method: string, path: string, body: string | Buffer): Promise<string> {
    const response = await fetch(site.registryUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const text = await response.text();
    if (response.ok) return String(response.status);
    return (JSON.parse(text) as { errors: { code: string }[] }).errors[0]?.code ?? 'no code';
  }

  const upload = (bytes: Buffer) => send('PUT', `/v1/blobs/${integrityHex(computeIntegrity(bytes))}`, bytes);

  /** A version with a unique script that is slow to compress. */
  async function publish(edition: string, query: string): Promise<string> {
    const version = sampleRemote(APP, ['/flooding'], edition);
    const script = Buffer.from(randomBytes(300_000).toString('base64'));
    const entry = { path: `large-${edition}.js`, size: script.length, integrity: computeIntegrity(script) };
    for (const bytes of [script, ...version.files.map((file) => file.bytes)]) {
      const answer = await upload(bytes);
      if (!/^20/.test(answer)) return answer;
    }
    const manifest = { ...version.manifest, assets: [...version.manifest.assets, entry] };
    return send('POST', `/v1/versions${query}`, JSON.stringify(manifest));
  }

  test('another team publishes and goes live, an edge follows, and the flood is rejected with clear errors', async () => {
    const answers: string[] = [];
    const flooded = new EventEmitter();
    const refused = once(flooded, 'refused');
    const note = (answer: string) => {
      answers.push(answer);
      if (CLEAR.has(answer)) flooded.emit('refused');
    };
    let isOver = false;
    let edition = 0;
    const flood = async (query: string) => {
      while (!isOver) note(await publish(`edition-${(edition += 1)}`, query));
    };
    const floodUploads = async () => {
      while (!isOver) note(await upload(randomBytes(4_000_000)));
    };
    const flooding = [
      ...Array.from({ length: 6 }, () => flood('?dry-run=true')),
      ...Array.from({ length: 6 }, () => flood('')),
      ...Array.from({ length: 6 }, floodUploads),
    ];
    const round = async (number: number) => {
      await site.assertOthersAreWell();
      expect(await site.site('activate', 'mfe-good')).toMatchObject({ code: 0 });
      const page = await (await fetch(`${site.edgeUrl}/good`)).text();
      expect(page).toContain(`edition ${number}`);
    };
    try {
      for (const number of [1, 2, 3]) await round(number);
      // And again when the flood has reached its limits.
      await refused;
      await round(4);
    } finally {
      isOver = true;
      await Promise.all(flooding);
    }
    const refusals = answers.filter((answer) => !/^20/.test(answer));
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter((answer) => !CLEAR.has(answer))).toEqual([]);
    expect(answers.filter((answer) => answer === '201').length).toBeGreaterThan(0);
    expect(await (await fetch(`${site.registryUrl}/readyz`)).text()).toBeTruthy();
  });
});
