import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createEdgeHarness } from '@site/edge/testing/edge-harness';
import { createHarness } from '@site/registry/testing/harness';
import { startDatabase } from '@site/server/testing/each-database';
import { parse } from 'yaml';
import { root, tableRows, readText } from './read-documents.ts';

/** Compares the alert rules with the `/metrics` of a real registry and a real edge, and with the document. */
interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; remedy: string; runbook_url: string };
}
const file = parse(readText('deploy/prometheus-rules.yml'), { strict: true, uniqueKeys: true }) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = file.groups.flatMap((group) => group.rules);
const monitoring = readText('docs/monitoring.md');
const runbook = readText('docs/runbook.md');

/** Keywords of PromQL. */
const words = new Set(
  'sum min max rate increase last_over_time by and or absent histogram_quantile'.split(' '),
);

/** The metrics in an expression, each with its required labels. */
function metricsIn(expr: string): { name: string; labels: string[]; values: string[] }[] {
  const plain = expr.replaceAll(/\bby \([^)]*\)/g, 'by').replaceAll(/\[\w+\]/g, '');
  return [...plain.matchAll(/\b([a-z]\w*)\b(?:\{([^}]*)\})?(?![^{]*\})/g)]
    .filter(([, name = '']) => !words.has(name))
    .map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
      values: [...labels.matchAll(/\w+="[^"]*"/g)].map(([value]) => value),
    }));
}

let series: Map<string, Set<string>>;

beforeAll(async () => {
  const { database, stop } = await startDatabase();
  const registry = await createHarness(database);
  const edges = await createEdgeHarness();
  try {
    await registry.startSite();
    const { url, opsUrl } = await edges.startServing();
    await (await fetch(new URL('/home', url))).text();
    const texts = [
      (await registry.app.inject({ method: 'GET', url: '/metrics' })).body,
      await (await fetch(new URL('/metrics', opsUrl))).text(),
    ];
    series = new Map();
    for (const [, name = '', labels = ''] of texts.join('\n').matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
      const known = series.get(name) ?? new Set();
      for (const [value, label = ''] of labels.matchAll(/(\w+)="[^"]*"/g)) known.add(label).add(value);
      series.set(name, known);
    }
  } finally {
    await edges.close();
    await registry.stop();
    await stop();
  }
});

test('each rule states when it fires, its severity, the problem and the remedy', () => {
  for (const rule of rules) {
    expect(
      Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
    ).toEqual([]);
    expect(rule.alert).toMatch(/^Site[A-Z]\w+$/);
    expect(rule.for ?? '1m').toMatch(/^\d+m$/);
    expect(['page', 'ticket']).toContain(rule.labels.severity);
    expect(Object.keys(rule.annotations)).toEqual(['summary', 'remedy', 'runbook_url']);
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(new Set(file.groups.map(({ name }) => name)).size).toBe(file.groups.length);
});

test('each metric of a rule, with its labels and values, is exported by a registry or an edge', () => {
  for (const { alert, expr } of rules) {
    const named = metricsIn(expr);
    expect([alert, named.length > 0]).toEqual([alert, true]);
    // Prometheus itself adds `up`, and `job` to every metric.
    for (const { name, labels, values } of named.filter((metric) => metric.name !== 'up')) {
      const known = series.get(name);
      // Values that have not occurred must be exported as 0: a rule never fires for missing ones.
      const unknown = known ? [...labels, ...values].filter((asked) => !known.has(asked)) : [name];
      expect({ alert, name, unknown }).toEqual({ alert, name, unknown: [] });
    }
  }
});

test('each rule has a test of when it fires, when it does not, and when it resolves', () => {
  const cases = parse(readText('deploy/prometheus-rules.test.yml'), { strict: true }) as {
    tests: { name: string }[];
  };
  const shown = cases.tests.map(({ name }) => /^(\w+ (?:fires|does not fire|resolves))\b/.exec(name)?.[1]);
  const wanted = rules.flatMap(({ alert }) =>
    ['fires', 'does not fire', 'resolves'].map((what) => `${alert} ${what}`),
  );
  expect(new Set(shown)).toEqual(new Set(wanted));
});

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;
(hasPromtool ? test : test.skip)(
  'Prometheus itself agrees with the tests of the rules (skipped without promtool: apt-get install prometheus)',
  () => {
    const file = join(root, 'deploy/prometheus-rules.test.yml');
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
  },
);

test('brackets and quotes of each expression are balanced', () => {
  for (const { expr } of rules) {
    const text = expr.replaceAll(/"[^"]*"/g, '');
    expect(text).not.toContain('"');
    const open: string[] = [];
    for (const [sign] of text.matchAll(/[()[\]{}]/g)) {
      if ('([{'.includes(sign)) open.push(sign);
      else expect(`${open.pop()}${sign}`).toMatch(/^(\(\)|\[\]|\{\})$/);
    }
    expect(open).toEqual([]);
  }
});

test('each rule has a block in the runbook with commands to run, and each block a rule that links to it', () => {
  const [, section = ''] = runbook.split('\n## Alerts\n');
  const blocks = (section.split('\n## ')[0] ?? '').split('\n### ').slice(1);
  expect(blocks.map((block) => block.split('\n', 1)[0])).toEqual(rules.map(({ alert }) => alert));
  for (const block of blocks) expect(block).toMatch(/\n```\n(?:npx @site\/cli|curl) /);
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toBe(
      `{{ $externalLabels.runbook_base }}docs/runbook.md#${alert.toLowerCase()}`,
    );
  }
});

test('the table of alert rules lists each rule with its metric and severity', () => {
  const [, section = ''] = monitoring.split('\n## Alert rules\n');
  const rows = tableRows(section.split('\n#')[0] ?? '').map(([alert = '', metric = '', severity = '']) =>
    [alert, metric, severity].map((cell) => cell.replaceAll('`', '')),
  );
  const watched = rules.map(({ alert, expr, labels }) => [
    alert,
    metricsIn(expr)[0]?.name.replace(/_bucket$/, ''),
    labels.severity,
  ]);
  expect(rows).toEqual(watched);
});
