import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Container, IPodTemplateSpec } from 'kubernetes-models/v1';
import type { SiteConfig } from '@site/contract';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { missingOf, run } from './harness/program.ts';
import { ports, settingsByRole } from './harness/settings.ts';

/** `deploy/kubernetes`: the overlays, as `kubectl kustomize` builds them. */

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
}
interface Workload extends Resource {
  spec: { template: IPodTemplateSpec; replicas?: number };
}
interface ConfigMap extends Resource {
  data?: Record<string, string>;
}
type Model = new (data: Resource) => { validate(): void };

const folder = 'deploy/kubernetes';
const read = (text: string) =>
  parseAllDocuments(text, { merge: true }).map((document) => document.toJS() as Resource);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !/(?:kustomization|hardening)\.yaml$/.test(name))
  .flatMap((name) => read(readFileSync(join(folder, name), 'utf8')));

const hasKubectl = missingOf(['kubectl']).length === 0;
if (!hasKubectl) process.stderr.write('kubectl is not installed: the overlays are not built.\n');
const testIf = hasKubectl ? test : test.skip;
const build = async (overlay: string) =>
  read((await run('kubectl', ['kustomize', join(folder, overlay)], { maxBuffer: 2 ** 24 })).stdout);

/** Errors of the published schemas, and unknown fields, by the types that are generated from them. */
async function problemsOf(resources: readonly Resource[]): Promise<string[]> {
  const named = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;
  const invalid: string[] = [];
  const lines: string[] = [];
  for (const resource of resources) {
    const models = (await import(`kubernetes-models/${resource.apiVersion}`)) as Record<string, Model>;
    try {
      const Resource = models[resource.kind];
      if (!Resource) throw new Error(`${resource.apiVersion} has no such kind`);
      new Resource(resource).validate();
    } catch (error) {
      invalid.push(`${named(resource)}: ${(error as Error).message}`);
    }
    const type = `import('kubernetes-models/${resource.apiVersion}').I${resource.kind}`;
    lines.push(`export const resource${lines.length}: ${type} = ${JSON.stringify(resource)};`);
  }
  const name = join(process.cwd(), 'tests/deploy/resources.ts');
  const options = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === name || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === name
      ? ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.Latest)
      : getSourceFile(path, ...rest);
  const program = ts.createProgram([name], options, host);
  const unknown = program
    .getSemanticDiagnostics(program.getSourceFile(name))
    .map(({ start = 0, messageText }) => {
      const line = lines.join('\n').slice(0, start).split('\n').length - 1;
      return `${named(resources[line]!)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  return [...invalid, ...unknown];
}

test('the published schemas have each field of each resource', async () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(await problemsOf(sources)).toEqual([]);
});

testIf('the trial’s addresses of gateway and forms are services in the cluster', async () => {
  const resources = await build('trial');
  const site = JSON.parse(readFileSync('deploy/compose/site.json', 'utf8')) as SiteConfig;
  for (const role of ['gateway', 'forms'] as const) {
    const { hostname, port } = new URL(site[role].base);
    const service = resources.find(({ kind, metadata }) => kind === 'Service' && metadata.name === role);
    // Pods search names in `svc.cluster.local`.
    expect(hostname).toBe(`${role}.${service?.metadata.namespace}`);
    expect(service).toMatchObject({ spec: { ports: [{ port: Number(port) }] } });
  }
});

test('the schemas refuse an unknown field and a value of the wrong type', async () => {
  const service = sources.find(({ kind }) => kind === 'Service')!;
  const misspelt = { ...service, spec: { selectors: {} } };
  const mistyped = { ...service, spec: { ports: [{ port: 'http' }] } };
  expect(await problemsOf([misspelt])).toEqual([expect.stringContaining('\'"selectors"\' does not exist')]);
  expect(await problemsOf([mistyped])).toContain('Service edge: data/spec/ports/0/port must be integer');
});

describe.each(['production', 'trial'])('the overlay %s', (overlay) => {
  let resources: Resource[] = [];
  let workloads: [string, Workload, Container][] = [];
  const named = (kind: string) =>
    resources.filter((resource) => resource.kind === kind).map(({ metadata }) => metadata.name);

  beforeAll(async () => {
    if (!hasKubectl) return;
    resources = await build(overlay);
    workloads = resources
      .filter((resource): resource is Workload => ['Deployment', 'StatefulSet'].includes(resource.kind))
      .map(
        (workload) =>
          [
            workload.metadata.name,
            workload,
            workload.spec.template.spec?.containers[0] as Container,
          ] as const,
      )
      .filter(([, , { image }]) => image === 'site-platform:1.0.0')
      .map(([name, workload, container]) => [name, workload, container]);
    expect(workloads.map(([name]) => name).sort()).toEqual(['edge', 'forms', 'gateway', 'registry']);
  });

  testIf('follows the published schemas', async () => {
    expect(await problemsOf(resources)).toEqual([]);
  });

  testIf('runs each role without root on a read-only root, with probes and resources', () => {
    for (const [role, { spec }, container] of workloads) {
      expect(container.args).toEqual([role]);
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container).toMatchObject({
        securityContext: {
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        },
        startupProbe: { httpGet: { path: '/healthz' } },
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: '/readyz' } },
        resources: {
          requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
          limits: { memory: expect.any(String) as string },
        },
      });
      const port = (name: unknown) => container.ports?.find((one) => one.name === name)?.containerPort;
      const probed = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect([role, ...probed.map((probe) => port(probe?.httpGet?.port))]).toEqual([
        role,
        ...probed.map(() => ports[role]?.ops),
      ]);
      expect([role, port('http')]).toEqual([role, ports[role]?.port]);
    }
  });

  testIf('sets only variables that the process reads', async () => {
    const settings = await settingsByRole();
    const unread = workloads.flatMap(([role, , container]) => {
      const names = container.envFrom?.map(({ configMapRef }) => configMapRef?.name) ?? [];
      const maps = resources.filter(
        ({ kind, metadata }) => kind === 'ConfigMap' && names.includes(metadata.name),
      );
      expect([role, maps.length]).toEqual([role, 1]);
      const variables = maps.flatMap((map) => Object.keys((map as ConfigMap).data ?? {}));
      const inline = container.env?.map(({ name }) => name) ?? [];
      return [...variables, ...inline]
        .filter((name) => !settings[role]?.has(name))
        .map((name) => `${role}: ${name}`);
    });
    expect(unread).toEqual([]);
  });

  testIf('lets only the documented clients connect to each service', () => {
    const policies = resources.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as NetworkPolicy[];
    const closed = policies.find(({ metadata }) => metadata?.name === 'default');
    expect(closed?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'site' } },
      policyTypes: ['Ingress'],
    });
    const clients: Record<string, unknown> = Object.fromEntries(
      policies
        .filter((policy) => policy !== closed)
        .map(({ metadata, spec }) => [
          metadata?.name ?? '',
          spec?.ingress?.flatMap(({ from = [] }) =>
            from.flatMap(({ podSelector, namespaceSelector }) => [
              ...Object.values(namespaceSelector?.matchLabels ?? {}),
              ...Object.values(podSelector?.matchLabels ?? {}),
              ...(podSelector?.matchExpressions?.flatMap(({ values }) => values ?? []) ?? []),
            ]),
          ),
        ]),
    );
    expect(clients).toEqual({
      registry: ['edge', 'forms', 'monitoring', 'ingress'],
      edge: ['ingress', 'monitoring'],
      gateway: ['registry', 'forms', 'monitoring', 'ingress'],
      forms: ['registry', 'monitoring', 'ingress'],
      ...(overlay === 'trial'
        ? { database: ['registry', 'gateway', 'forms'], s3: ['registry', 'edge'] }
        : {}),
    });
  });

  testIf(
    'keeps all but one process of each role during a drain of nodes, and scales edges within their token',
    () => {
      expect(named('PodDisruptionBudget').sort()).toEqual(['edge', 'forms', 'gateway', 'registry']);
      expect(resources.find(({ kind }) => kind === 'HorizontalPodAutoscaler')).toMatchObject({
        spec: { scaleTargetRef: { kind: 'StatefulSet', name: 'edge' }, minReplicas: 3, maxReplicas: 10 },
      });
      const edge = workloads.find(([name]) => name === 'edge')?.[2];
      expect(edge?.env?.[0]).toMatchObject({
        name: 'EDGE_ID',
        valueFrom: { fieldRef: { fieldPath: 'metadata.name' } },
      });
    },
  );
});
