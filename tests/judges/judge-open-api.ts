import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeFile, run, type Judged, type Verdict } from './verdict.ts';

interface RedoclyReport {
  problems: {
    ruleId: string;
    severity: 'error' | 'warn';
    message: string;
    location?: { pointer?: string }[];
  }[];
}

/** Redocly's recommended rules for the OpenAPI document of each server. */
export async function judgeOpenApi({ site, folder }: Judged): Promise<Verdict> {
  const servers = {
    gateway: site.gateway,
    'gateway-admin': `${site.gateway}admin/`,
    forms: site.forms,
    'forms-admin': `${site.forms}admin/`,
    registry: `${site.registry}/`,
  };
  const problems: string[] = [];
  for (const [name, base] of Object.entries(servers)) {
    const file = join(folder, `${name}.json`);
    await writeFile(file, await (await fetch(`${base}openapi.json`)).text());
    const { stdout, output } = await run(
      process.execPath,
      [judgeFile('@redocly/cli/bin/cli.js'), 'lint', file, '--extends', 'recommended', '--format', 'json'],
      folder,
    );
    let report: RedoclyReport;
    try {
      report = JSON.parse(stdout) as RedoclyReport;
    } catch (cause) {
      throw new Error(`redocly did not answer with JSON:\n${output}`, { cause });
    }
    for (const { ruleId, severity, message, location } of report.problems) {
      if (severity === 'error')
        problems.push(`${name}: ${ruleId}: ${message} (${location?.[0]?.pointer ?? ''})`);
    }
  }
  return {
    judge: 'redocly (OpenAPI)',
    looked: `${Object.keys(servers).length} documents`,
    problems,
  };
}
