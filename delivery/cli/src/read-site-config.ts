import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { BrandSchema, SiteConfigSchema, type Brand, type SiteConfig } from '@site/contract';
import { CliError } from './cli-error.ts';
import { fileProblem } from './file-problem.ts';

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
  return readAs(SiteConfigSchema, file, 'a configuration of the site', 'activate');
}

/**
 * Who the site speaks for, from a file.
 *
 * @throws CliError `file_unusable`, `config_invalid`.
 */
export function readBrandFile(file: string): Brand {
  return readAs(BrandSchema, file, 'a brand', 'config set');
}

function readAs<const Schema extends v.GenericSchema>(
  schema: Schema,
  file: string,
  what: string,
  command: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, jsonOf(file, what, command));
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${saidOf(issue)}`);
  throw invalid(file, what, [...problems, shownBy(command)].join('\n  '));
}

function invalid(file: string, what: string, problem: string): CliError {
  return new CliError('config_invalid', `"${file}" is not ${what}: ${problem}`);
}

const shownBy = (command: string) => `"npx site ${command} --help" shows an example.`;

/** Of our own rules, what they say; of the library's, which have no words of ours, what is meant. */
function saidOf({ type, kind, expected, received, message }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || !message.startsWith('Invalid ')) return message;
  if (type === 'strict_object' && expected === 'never') return 'There is no such field: leave it out.';
  if (received === 'undefined') return 'It is missing.';
  return `It is ${received}; ${expected ?? 'another value'} is needed.`;
}

function jsonOf(file: string, what: string, command: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n');
    let wrong = 0;
    // Whatever follows a wrong line is wrong, too: half of the rest is left out each time, for the file may be any.
    for (let end = lines.length; wrong < end;) {
      const middle = Math.floor((wrong + end) / 2);
      if (mayGoOn(lines.slice(0, middle + 1).join('\n'))) wrong = middle + 1;
      else end = middle;
    }
    const where =
      wrong === lines.length
        ? 'it ends too soon, a bracket or a quotation mark is missing'
        : `line ${wrong + 1} is wrong, or the end of the one before: ${(lines[wrong] ?? '').trim().slice(0, 80)}`;
    throw invalid(file, what, `it is not JSON; ${where}\n  ${shownBy(command)}`);
  }
}

/** Whether a text that is no JSON is wrong for its end alone. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return /end of JSON/.test(message) || Number(position) === text.length;
  }
}

/** Editors on Windows write it at the start of a file, and JSON has none. */
function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function textOf(file: string): string {
  try {
    return withoutByteOrderMark(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CliError('file_unusable', `"${file}" cannot be read: ${fileProblem(cause)}.`, { cause });
  }
}
