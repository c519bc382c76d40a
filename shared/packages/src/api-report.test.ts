import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiReports, reportPath } from './api-report.ts';
import { publishedPackages, root } from './workspace.ts';

const packages = publishedPackages();
let reports: Map<string, string>;
// Compiles every package, which takes minutes on a busy machine.
beforeAll(() => (reports = apiReports(packages)), 600_000);

test.each(packages.map((one) => [one.packageJson.name, reportPath(one)]))(
  'the public API of %s matches its report (or run "npm run packages:api", and "npx --no changeset" if users are affected)',
  (_name, path) => {
    const written = reports.has(path) ? readFileSync(join(root, path), 'utf8') : undefined;
    expect(reports.get(path)).toEqual(written);
  },
);
