import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { SiteConfigSchema, type SiteConfig } from '@site/contract';
import { CliError } from './cli-error.ts';

/** What `--config` names, as the help shows it. */
export const CONFIG_EXAMPLE: SiteConfig = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: 'https://gateway.example.com/', appId: 'site-gateway' },
  forms: { base: 'https://forms.example.com/', appId: 'site-forms' },
};

/**
 * The configuration of the site, from a file.
 *
 * @throws CliError `file_unusable`, `config_invalid`.
 */
export async function readSiteConfig(file: string): Promise<SiteConfig> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new CliError('file_unusable', `"${file}" cannot be read: ${(cause as Error).message}.`, { cause });
  });
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SiteConfigSchema), text);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  throw new CliError(
    'config_invalid',
    `"${file}" is not a configuration of the site: ${problems.join(' ')} Example: ${JSON.stringify(CONFIG_EXAMPLE)}`,
  );
}
