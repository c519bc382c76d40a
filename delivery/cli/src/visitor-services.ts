import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { isWebAddress, jsonText, withoutTrailingSlashes } from '@site/contract';
import { proxyHint } from '@site/contract/env-proxy';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import type { Environment } from './environment.ts';
import { isLoopback, readJson } from './settings.ts';

/**
 * In order of erasure: the gateway last, so that no new guest gets the id of an identity that still has data.
 */
export const serviceNames = ['forms', 'gateway'] as const;
type ServiceName = (typeof serviceNames)[number];

export interface VisitorService {
  name: ServiceName;
  read(visitor: string): Promise<VisitorExport | null>;
  erase(visitor: string): Promise<VisitorErasure | null>;
}

const VisitorExportSchema = v.object({
  data: v.object({ attributes: v.record(v.string(), v.array(v.record(v.string(), v.unknown()))) }),
});
const VisitorErasureSchema = v.object({
  data: v.object({
    id: v.string(),
    attributes: v.object({ erased_at: v.string(), rows: v.record(v.string(), v.number()) }),
  }),
});

type VisitorExport = v.InferOutput<typeof VisitorExportSchema>['data']['attributes'];
interface VisitorErasure {
  audit: string;
  at: string;
  rows: Record<string, number>;
}

const url = v.pipe(v.string(), v.url());
const RunningSchema = v.object({ gateway: v.optional(url), forms: v.optional(url) });
const TokensSchema = v.object({ admin: v.optional(v.string()) });

const settings = {
  gateway: { variable: 'SITE_GATEWAY', fallback: 'http://localhost:8081' },
  forms: { variable: 'SITE_FORMS', fallback: 'http://localhost:8082' },
} as const;

/** A hanging service must not block the operator. */
const ANSWER_WITHIN_MS = 30_000;

/**
 * `SITE_GATEWAY` and `SITE_FORMS` with `SITE_ADMIN_TOKEN`, or the site that last ran from this checkout. @throws
 * CliError `setting_invalid`
 */
export async function visitorServices(root: string, env: Environment): Promise<VisitorService[]> {
  const dataDir = resolve(root, env['DATA_DIR'] || '.data');
  const running = await readJson(join(dataDir, 'running.json'), RunningSchema);
  const local = await readJson(join(dataDir, 'tokens.json'), TokensSchema);
  return serviceNames.map((name) => {
    const { variable, fallback } = settings[name];
    const given = env[variable] || null;
    if (given !== null && !isWebAddress(given)) {
      throw new CliError(
        'setting_invalid',
        `${variable} is "${given}": give an http(s) URL, such as "${fallback}".`,
      );
    }
    const base = withoutTrailingSlashes(given ?? running?.[name] ?? fallback);
    // The local token must not be sent to other machines.
    const token = env['SITE_ADMIN_TOKEN'] || (isLoopback(base) ? local?.admin : undefined);
    if (token === undefined) {
      throw new CliError(
        'setting_invalid',
        `There is no admin token for ${base}: set SITE_ADMIN_TOKEN to the service's ADMIN_TOKEN.`,
      );
    }
    return createVisitorService(name, base, token);
  });
}

function createVisitorService(name: ServiceName, base: string, token: string): VisitorService {
  const { variable } = settings[name];

  async function call<Schema extends v.GenericSchema>(
    method: 'GET' | 'DELETE',
    visitor: string,
    schema: Schema,
  ): Promise<v.InferOutput<Schema> | null> {
    const { status, text } = await send(method, `${base}/admin/visitors/${encodeURIComponent(visitor)}`);
    if (status >= 400) return refuse(status, text);
    const answer = v.safeParse(jsonText(schema), text);
    if (answer.success) return answer.output;
    throw new CliError(
      'service_answer_invalid',
      `The response of ${base} is not from the ${name} service (${answer.issues[0].message}). Check ${variable}, ` +
        'and that command line and service have the same version.',
    );
  }

  async function send(method: string, target: string): Promise<{ status: number; text: string }> {
    try {
      const response = await fetch(target, {
        method,
        redirect: 'error',
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new CliError(
        'service_unreachable',
        `The ${name} service at ${base} does not respond. Start the site with "npm start", or set ${variable} to ` +
          `its URL.${proxyHint(process.env, cause)}`,
        { cause },
      );
    }
  }

  function refuse(status: number, text: string): null {
    const answer = v.safeParse(jsonText(RefusalSchema), text);
    const [first] = answer.success ? answer.output.errors : [];
    if (!first) {
      throw new CliError(
        'service_answer_invalid',
        `${base} responds with status ${status} and no error message. ` +
          `Check ${variable}: this may not be the ${name} service.`,
      );
    }
    if (first.code === 'visitor_unknown') return null;
    const hint = first.code === 'admin_token_invalid' ? ' For the command line set SITE_ADMIN_TOKEN.' : '';
    throw new RegistryRefusal(first.code, `${name}: ${explain(first)}${hint}`);
  }

  return {
    name,
    read: async (visitor) => (await call('GET', visitor, VisitorExportSchema))?.data.attributes ?? null,
    async erase(visitor) {
      const answer = await call('DELETE', visitor, VisitorErasureSchema);
      if (!answer) return null;
      const { id, attributes } = answer.data;
      return { audit: id, at: attributes.erased_at, rows: attributes.rows };
    },
  };
}
