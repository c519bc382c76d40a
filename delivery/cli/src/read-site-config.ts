import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { BrandSchema, jsonText, SiteConfigSchema, type Brand, type SiteConfig } from '@site/contract';
import { CliError } from './cli-error.ts';

/** What `--brand` names. */
export const BRAND_EXAMPLE: Brand = {
  name: 'Acme',
  legalName: 'Acme Parts, Inc.',
  application: { production: 'https://app.acme.com', staging: 'https://app.staging.acme.com' },
  status: 'https://status.acme.com/',
  support: 'https://help.acme.com/',
  contact: 'https://www.acme.com/contact',
  documentation: 'https://docs.acme.com/',
  social: { x: 'https://x.com/acme', linkedin: '', instagram: '' },
  email: 'hello@acme.com',
  phone: '+1 (303) 555-0100',
  address: {
    street: '1 Main Street',
    city: 'Denver',
    region: 'Colorado',
    postalCode: '80202',
    country: 'United States',
  },
  copyrightYear: '2026',
};

/** What `--config` names, as the help shows it. */
export const CONFIG_EXAMPLE: SiteConfig = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: 'https://gateway.example.com/', appId: 'site-gateway' },
  forms: { base: 'https://forms.example.com/', appId: 'site-forms' },
  brand: BRAND_EXAMPLE,
};

/**
 * The configuration of the site, from a file.
 *
 * @throws CliError `file_unusable`, `config_invalid`.
 */
export function readSiteConfig(file: string): SiteConfig {
  return readAs(SiteConfigSchema, file, 'a configuration of the site', CONFIG_EXAMPLE);
}

/**
 * Who the site speaks for, from a file.
 *
 * @throws CliError `file_unusable`, `config_invalid`.
 */
export function readBrandFile(file: string): Brand {
  return readAs(BrandSchema, file, 'a brand', BRAND_EXAMPLE);
}

function readAs<const Schema extends v.GenericSchema>(
  schema: Schema,
  file: string,
  what: string,
  example: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(jsonText(schema), textOf(file));
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  throw new CliError(
    'config_invalid',
    `"${file}" is not ${what}: ${problems.join(' ')} Example: ${JSON.stringify(example)}`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError('file_unusable', `"${file}" cannot be read: ${(cause as Error).message}.`, { cause });
  }
}
