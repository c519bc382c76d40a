import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiReports } from './api-report.ts';
import { publishedPackages, root } from './workspace.ts';

for (const [path, report] of apiReports(publishedPackages())) {
  await writeFile(join(root, path), report);
  process.stdout.write(`${path}\n`);
}
