import { tableRows, readText } from './read-documents.ts';

/** Compares the operating guides with the code: settings and metrics. */
const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** The names in `code` in the first cells of the tables of a section (a heading of the second level). */
const firstCells = (document: string, heading: string) => {
  const [, section = ''] = readText(document).split(`\n## ${heading}\n`);
  return tableRows(section.split('\n## ')[0] ?? '').flatMap(([first]) => codeIn(first));
};

test('the tables list exactly the settings of every process', () => {
  const readByProcesses = [
    'shared/server/src/config.ts',
    'shared/server/src/rate-limit.ts',
    'services/gateway/src/config.ts',
    'services/forms/src/config.ts',
    'delivery/registry/src/main.ts',
    'delivery/edge/src/main.ts',
    'delivery/local/src/config.ts',
  ].flatMap((file) =>
    [...readText(file).matchAll(/^ +([A-Z][A-Z_\d]+): (?:[a-z]|[A-Z][a-z]+\w*Schema,)/gm)].map(
      ([, name]) => name,
    ),
  );
  const readByTools = [
    'delivery/cli/src/settings.ts',
    'delivery/cli/src/pipeline-token.ts',
    'delivery/cli/src/visitor-services.ts',
    'shared/build/src/dev-against-site.ts',
  ].flatMap((file) => [...readText(file).matchAll(/'([A-Z]+_[A-Z_]+)'/g)].map(([, name]) => name));
  const named = firstCells('docs/deployment.md', 'Deployment').filter((name) =>
    /^[A-Z][A-Z_\d]+$/.test(name),
  );
  expect([...new Set(named)].sort()).toEqual([...new Set([...readByProcesses, ...readByTools])].sort());
});

test.each([
  [
    'site_edge_',
    'delivery/edge/src/telemetry/metrics.ts',
    /(?:(?:counter|gauge)\(\s*|name: )['`](?:site_edge_)?([a-z_]+)['`]/g,
  ],
  [
    'site_registry_',
    'delivery/registry/src/console/registry-metrics.ts',
    /(?:(?:counter|gauge|histogram)\(\s*|name: )'(?:site_registry_)?([a-z_]+)'/g,
  ],
])('the table lists exactly the metrics %s…', (prefix, file, pattern) => {
  const counted = [...readText(file).matchAll(pattern)].map(([, name]) => `${prefix}${name}`);
  const named = firstCells('docs/monitoring.md', 'Metrics').filter((name) => name.startsWith(prefix));
  expect(counted.length).toBeGreaterThan(10);
  expect(named.sort()).toEqual(counted.sort());
});
