import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { sampleConfig } from '../delivery/harness/cluster.ts';
import { packagesFolder, startAttackSite, type AttackSite } from './harness/attack-site.ts';

/** Attacks whose version is rejected, with the message. */
const refused: [name: string, what: string, says: RegExp][] = [
  ['array-push', 'makes Array.prototype.push evaluate its output', /cannot be rendered/],
  ['exit', 'ends its process', /ended the process with code 0/],
  ['forge', 'forges responses on every file descriptor', /what was forged did not count/],
  ['processes', 'starts processes, signals others and loads addons', /all are closed/],
  ['buffers', 'hoards buffers that the heap limit does not count', /ran out of memory/],
  ['overflow', 'overflows the stack', /Maximum call stack size/],
  ['wait', 'stops its only thread with Atomics.wait', /did not finish rendering/],
  ['flood', 'prints endlessly', /did not finish rendering|ran out of memory/],
  ['huge', 'renders hundreds of megabytes', /\/huge/],
  [
    'candidates',
    'renders 300,000 image candidates',
    /\/candidates has 1341 image candidates .* at most 1000/,
  ],
  ['attributes', 'renders 79,000 attributes', /\/attributes has an element with 360 attributes.* at most 40/],
];
/** Attacks with a valid page: only their side effects matter. */
const harmless: [name: string, what: string][] = [
  ['then', 'defines a getter on Object.prototype.then'],
  ['pollute', 'replaces every built-in that reads and writes frames'],
  ['afterwards', 'continues after its response: timers, rejections, finalizers'],
  ['reach', 'traverses all reachable objects, and calls possible exits'],
];

describe('a remote that attacks the process that renders its pages', () => {
  let site: AttackSite;
  let service: Server;
  let calls = 0;
  beforeAll(async () => {
    service = createServer((socket) => {
      calls += 1;
      socket.once('data', (data) => {
        // The registry itself checks the services of the live configuration.
        if (data.toString().startsWith('GET /readyz ')) calls -= 1;
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    const config = { ...sampleConfig, forms: { base: `http://127.0.0.1:${port}/`, appId: 'app' } };
    site = await startAttackSite({ config });
  });
  afterEach(async () => {
    // As many as the command line requested: the process did not crash and restart.
    expect(site.registry.output()).not.toMatch(/uncaught|assert|Error:/i);
    expect(calls).toBe(0);
    expect(await site.assertOthersAreWell()).toContain('data-app="mfe-good"');
  });
  afterAll(async () => {
    await site.stop();
    service.close();
  });

  test.each(refused)('mfe-%s, which %s, is rejected and harms no other app', async (name, _what, says) => {
    const { code, err } = await site.publish(join(packagesFolder, `mfe-${name}`));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`mfe-${name}`) as string });
    expect(err).toMatch(says);
    expect(err).not.toMatch(/stolen:|open:/);
  });

  test.each(harmless)('mfe-%s, which %s, harms no other app', async (name) => {
    const { code, err } = await site.publish(join(packagesFolder, `mfe-${name}`));
    expect([0, 1]).toContain(code);
    // Either valid or rejected because of its page, never because the renderer failed.
    expect(err).toMatch(/^$|\(page_not_rendered\)/);
  });
});
