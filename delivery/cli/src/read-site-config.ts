import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { BrandSchema, type Brand, type SiteConfig } from '@site/contract';
import { NewSiteConfigSchema } from '@site/contract/site-config.schema';
import { CliError } from './cli-error.ts';
import { fileProblem } from './files.ts';

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

export const CONFIG_EXAMPLE: SiteConfig = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: 'https://gateway.example.com/', appId: 'site-gateway' },
  forms: { base: 'https://forms.example.com/', appId: 'site-forms' },
  brand: BRAND_EXAMPLE,
};

/** @throws CliError `file_unusable`, `config_invalid`. */
export function readSiteConfig(file: string): SiteConfig {
  return readAs(NewSiteConfigSchema, file, 'a configuration of the site', 'activate');
}

/** @throws CliError `file_unusable`, `config_invalid`. */
export function readBrandFile(file: string): Brand {
  return readAs(BrandSchema, file, 'a brand', 'config set');
}

function readAs<const Schema extends v.GenericSchema>(
  schema: Schema,
  file: string,
  what: string,
  command: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, parseJson(file, what, command));
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map(
    (issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issueMessage(issue)}`,
  );
  throw invalid(file, what, [...problems, shownBy(command)].join('\n  '));
}

function invalid(file: string, what: string, problem: string): CliError {
  return new CliError('config_invalid', `"${file}" is not ${what}: ${problem}`);
}

const shownBy = (command: string) => `"npx @site/cli ${command} --help" shows an example.`;

/** Our rules have their own message; valibot's rules get one here. */
function issueMessage({ type, kind, expected, received, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || !message.startsWith('Invalid ')) return message;
  if (type === 'strict_object' && expected === 'never') return 'Unknown field: remove it.';
  if (received === 'undefined') return 'It is missing.';
  return `It is ${received}; expected ${expected ?? 'another value'}.`;
}

function parseJson(file: string, what: string, command: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n');
    let wrong = 0;
    // Everything after a syntax error is invalid too. Bisects, because the file may be large.
    for (let end = lines.length; wrong < end;) {
      const middle = Math.floor((wrong + end) / 2);
      if (isValidBeginning(lines.slice(0, middle + 1).join('\n'))) wrong = middle + 1;
      else end = middle;
    }
    const where =
      wrong === lines.length
        ? 'unexpected end: a bracket or a quotation mark is missing'
        : `line ${wrong + 1} or the end of the previous line is invalid: ${(lines[wrong] ?? '').trim().slice(0, 80)}`;
    throw invalid(file, what, `it is not valid JSON; ${where}\n  ${shownBy(command)}`);
  }
}

function isValidBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON/.test(message) || Number(position) === text.length;
  }
}

/** Windows editors write one; JSON does not allow it. */
function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function readText(file: string): string {
  try {
    return withoutByteOrderMark(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CliError('file_unusable', `"${file}" cannot be read: ${fileProblem(cause)}.`, { cause });
  }
}
