import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '@site/server/testing/self-signed';
import { parseAllDocuments } from 'yaml';
import { commandsOf } from './harness/guide.ts';
import { missingOf, run } from './harness/program.ts';
import { settingsByRole } from './harness/settings.ts';

/** The commands of docs/deployment; `packages.test.ts` and `compose.test.ts` follow docs/deployment/one-machine.md. */

const missing = missingOf(['kubectl', 'nginx']);
if (missing.length > 0) process.stderr.write(`Guides are not followed without: ${missing.join(', ')}.\n`);
const testWith = (command: string) => (missing.includes(command) ? test.skip : test);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-guide-'));
  await mkdir(join(folder, 'bin'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs commands with stand-ins for some programs. */
async function follow(commands: string, standIns: Record<string, string>): Promise<void> {
  for (const [name, script] of Object.entries(standIns))
    await writeFile(join(folder, 'bin', name), `#!/bin/sh -e\n${script}\n`, { mode: 0o755 });
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
  await run('sh', ['-euc', commands], { env: { PATH, OPS_TOKEN: 'site_ops' } });
}

testWith('nginx')(
  'nginx accepts its configuration after the commands of the guide for three machines, and is started',
  async () => {
    const { cert, key } = selfSigned();
    for (const [name, text] of Object.entries({ 'fullchain.pem': cert, 'privkey.pem': key }))
      await writeFile(join(folder, name), text);
    // The package's copy, with this test's certificate and folders.
    const installed = join(folder, 'installed/nginx');
    await cp('deploy/nginx.conf', join(installed, 'nginx.conf'));
    await cp('deploy/nginx', join(installed, 'nginx'), { recursive: true });
    for (const name of ['listen.conf', 'folders.conf']) {
      const path = join(installed, 'nginx', name);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replaceAll(/\/(?:etc\/ssl\/site|var\/cache\/nginx|dev\/shm)/g, folder));
    }
    await mkdir(join(folder, 'etc'));
    const { stdout: nginx } = await run('sh', ['-c', 'command -v nginx']);
    const commands = commandsOf('three-machines', 'nginx')
      .replaceAll('/usr/share/doc/site-platform/nginx', installed)
      .replaceAll(/\/(?:etc|var)\b/g, (path) => join(folder, path));
    await follow(commands, {
      sudo: 'exec "$@"',
      nginx: `exec ${nginx.trim()} -c ${folder}/etc/nginx/nginx.conf "$@"`,
      systemctl: `echo "$@" > ${folder}/started`,
    });
    expect(await readFile(join(folder, 'etc/nginx/nginx/edges.conf'), 'utf8')).toContain(
      'server 10.0.0.3:8080',
    );
    expect(await readFile(join(folder, 'started'), 'utf8')).toBe('restart nginx\n');
  },
);

interface Secret {
  kind: string;
  metadata: { name: string };
  data: Record<string, string>;
}

testWith('kubectl')(
  'the guide for Kubernetes creates every secret that the trial’s processes need',
  async () => {
    const [{ stdout: kubectl }, settings] = await Promise.all([
      run('sh', ['-c', 'command -v kubectl']),
      settingsByRole(),
    ]);
    const real = kubectl.trim();
    await follow(commandsOf('kubernetes', 'Trial'), {
      kubectl: `
      case "$1 $2" in
        'create secret') ${real} "$@" --dry-run=client -o yaml >> ${folder}/secrets.yaml; echo --- >> ${folder}/secrets.yaml ;;
        'apply -k') ${real} kustomize "$3" > ${folder}/built.yaml ;;
        'exec -i') shift 4; exec "$@" ;;
        *) echo "$@" >> ${folder}/others ;;
      esac`,
      'site-platform': `
      echo "$SITE_REGISTRY $SITE_TOKEN $*" >> ${folder}/calls
      case $1 in
        cli) echo site_created ;;
        release) cat "$2" > ${folder}/site.json; rm "$2" ;;
      esac`,
    });
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
    const scopes = Array.from({ length: 10 }, (_, index) => `edge:edge-${index}`).join(' ');
    expect(calls).toEqual([
      `http://localhost:8083 site_ops cli token create edges --scope ${scopes}`,
      'http://localhost:8083 site_ops cli token create forms --scope read',
      'http://localhost:8083 site_ops release /tmp/site.json',
    ]);
    expect(await readFile(join(folder, 'site.json'), 'utf8')).toBe(
      await readFile('deploy/compose/site.json', 'utf8'),
    );
    const others = (await readFile(join(folder, 'others'), 'utf8')).split('\n');
    expect(others).toContain('rollout status deployment/registry');
    expect(others.filter((line) => line.startsWith('port-forward')).sort()).toEqual([
      'port-forward service/edge 8080',
      'port-forward service/forms 8082',
      'port-forward service/gateway 8081',
    ]);

    const read = async (name: string) =>
      parseAllDocuments(await readFile(join(folder, name), 'utf8')).flatMap(
        (document) => (document.toJS() as Secret | null) ?? [],
      );
    const secrets = new Map((await read('secrets.yaml')).map(({ metadata, data }) => [metadata.name, data]));
    const built = await readFile(join(folder, 'built.yaml'), 'utf8');
    const referenced = [...built.matchAll(/secret(?:Ref|KeyRef):\n(?: +key: \w+\n)? +name: (\w+)/g)].map(
      ([, name]) => name,
    );
    expect([...secrets.keys()].sort()).toEqual([...new Set(referenced)].sort());
    const required: Record<string, string[]> = {
      registry: ['DATABASE_URL', 'OPS_TOKEN', 'AUDIT_KEY', 'INBOX_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
      edge: ['EDGE_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
      gateway: ['DATABASE_URL'],
      forms: ['DATABASE_URL', 'REGISTRY_TOKEN', 'INBOX_TOKEN'],
    };
    for (const [role, names] of Object.entries(required)) {
      expect([role, ...Object.keys(secrets.get(role) ?? {}).sort()]).toEqual([role, ...names.toSorted()]);
      expect([role, ...names.filter((name) => !settings[role]?.has(name))]).toEqual([role]);
    }
    const decoded = (role: string, name: string) =>
      Buffer.from(secrets.get(role)?.[name] ?? '', 'base64').toString();
    expect(decoded('edge', 'EDGE_TOKEN')).toBe('site_created');
    expect(decoded('forms', 'INBOX_TOKEN')).toBe(decoded('registry', 'INBOX_TOKEN'));
    expect(decoded('registry', 'DATABASE_URL')).toMatch(
      /^postgres:\/\/postgres:[\w-]{43}@database:5432\/registry$/,
    );
  },
);
