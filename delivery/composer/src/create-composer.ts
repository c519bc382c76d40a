import {
  variantChoices,
  variantKey,
  versionLimits,
  type RenderedPage,
  type SiteConfig,
  type VariantChoice,
  type Variants,
} from '@site/contract';
import { checkPage } from './check-page.ts';
import { ComposeError, appPlace, type ComposePlace } from './compose-error.ts';
import type { SandboxReply, SandboxRequest } from './sandbox-messages.ts';
import { startSandbox, type Sandbox, type SandboxEnd } from './sandbox-process.ts';

export interface ComposerOptions {
  timeoutMs?: number;
  maxOldSpaceMb?: number;
  maxBytes?: number;
  checkMs?: number;
}

/** For all pages of a request, so that no request holds a slot forever. */
const TOTAL_MS = 300_000;

export interface ComposeRequest {
  app: string;
  shell: Uint8Array;
  remote: Uint8Array;
  config: SiteConfig;
  pages: { path: string; module: string; variants?: Variants | undefined }[];
  /** The client, for fair queueing: see `@site/server/turns`. */
  turn?: string | undefined;
}

export interface ComposedPage {
  path: string;
  variantKey: string;
  page: RenderedPage;
}

export interface Composer {
  /** @throws ComposeError for the first page that does not render. */
  compose(request: ComposeRequest): Promise<ComposedPage[]>;
  problem?(): string | null;
}

/** Each request runs in a new child process without secrets, files or network. */
export function createComposer(options: ComposerOptions = {}): Composer {
  const {
    timeoutMs = 10_000,
    maxOldSpaceMb = 256,
    maxBytes = versionLimits.bytes,
    checkMs = 60_000,
  } = options;
  return {
    async compose(request) {
      const sandbox = await startSandbox({ timeoutMs, maxOldSpaceMb });
      const deadline = performance.now() + TOTAL_MS;
      try {
        await loadBundles(sandbox, request, timeoutMs);
        const composed: ComposedPage[] = [];
        let size = 0;
        let spent = 0;
        const add = (rendered: Rendered) => {
          const { place } = rendered.job;
          const before = process.cpuUsage();
          const result = checked(rendered);
          const { user, system } = process.cpuUsage(before);
          spent += (user + system) / 1000;
          if (spent > checkMs) throw tooSlow(place, `${checkMs} ms of processor time to check`);
          size += pageBytes(result.page);
          if (size > maxBytes) throw tooLarge(place, { size, maxBytes });
          if (performance.now() > deadline) throw tooSlow(place, `${TOTAL_MS} ms`);
          composed.push(result);
        };
        let last: Rendered | null = null;
        for (const job of createJobs(request)) {
          const reply = sandbox.ask(requestFor(job, request.config));
          // Check the previous page while the sandbox renders the next one, to use two cores.
          if (last) add(last);
          last = toRendered(job, await reply, { timeoutMs, remote: request.remote });
        }
        if (last) add(last);
        return composed;
      } finally {
        sandbox.kill();
      }
    },
  };
}

function pageBytes({ head, html, sections }: RenderedPage): number {
  return [head, html, JSON.stringify(sections)].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

async function loadBundles(sandbox: Sandbox, request: ComposeRequest, timeoutMs: number): Promise<void> {
  const reply = await sandbox.ask(['load', request.shell, request.remote]);
  if (reply[0] !== 'loaded')
    throw explain(reply, appPlace(request.app), { timeoutMs, remote: request.remote });
}

interface Job {
  place: ComposePlace;
  path: string;
  module: string;
  choice: VariantChoice;
  key: string;
}

function createJobs({ app, pages }: ComposeRequest): Job[] {
  return pages.flatMap(({ path, module, variants }) =>
    variantChoices(variants).map((choice) => {
      const key = variantKey(choice);
      return { place: { app, path, variant: key || null }, path, module, choice, key };
    }),
  );
}

function requestFor({ path, module, choice }: Job, config: SiteConfig): SandboxRequest {
  return ['render', path, module, JSON.stringify(choice), JSON.stringify(config)];
}

interface Rendered {
  job: Job;
  page: { head: string | undefined; html: string | undefined };
}

function toRendered(job: Job, reply: SandboxReply | SandboxEnd, asked: Asked): Rendered {
  if (reply[0] !== 'rendered') throw explain(reply, job.place, asked);
  const [, head, html] = reply;
  return { job, page: { head, html } };
}

function checked({ job: { place, path, key }, page }: Rendered): ComposedPage {
  const result = checkPage(page);
  if ('problem' in result) throw new ComposeError('compose_page_invalid', place, `${result.problem}.`);
  return { path, variantKey: key, page: result.page };
}

function tooLarge(place: ComposePlace, { size, maxBytes }: { size: number; maxBytes: number }): ComposeError {
  return new ComposeError(
    'compose_page_invalid',
    place,
    `renders ${size} bytes of pages; a version may have at most ${maxBytes}.`,
  );
}

function tooSlow(place: ComposePlace, limit: string): ComposeError {
  return new ComposeError(
    'compose_page_timeout',
    place,
    `used up the time of the version's pages: all together may take ${limit}.`,
  );
}

interface Asked {
  timeoutMs: number;
  remote: Uint8Array;
}

function explain(
  reply: SandboxReply | SandboxEnd,
  place: ComposePlace,
  { timeoutMs, remote }: Asked,
): ComposeError {
  const doing = place.path === null ? 'loading its server bundle' : 'rendering';
  switch (reply[0]) {
    case 'failed':
      return explainFailure(reply, place, remote);
    case 'timeout':
      return new ComposeError(
        'compose_page_timeout',
        place,
        `did not finish ${doing} within ${timeoutMs} ms.`,
      );
    case 'out-of-memory':
      return new ComposeError('compose_out_of_memory', place, `ran out of memory while ${doing}.`);
    case 'exited':
      return new ComposeError('compose_page_exited', place, `${reply[1]} while ${doing}.`);
    case 'unavailable': {
      const [, cause] = reply;
      const problem = `could not be composed: the child process did not start (${cause.message}).`;
      return new ComposeError('compose_unavailable', place, problem, { cause });
    }
    default:
      return new ComposeError('compose_page_exited', place, `answered out of turn while ${doing}.`);
  }
}

/** Pages control the length of these texts, which end up in responses and logs. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_STACK = 8_000;

function explainFailure(
  [, step, name, text, stack]: Extract<SandboxReply, ['failed', ...unknown[]]>,
  place: ComposePlace,
  remote: Uint8Array,
): ComposeError {
  const message = text.slice(0, LONGEST_MESSAGE);
  const cause = Object.assign(new Error(message), {
    name: name.slice(0, 100),
    stack: stack.slice(0, LONGEST_STACK),
  });
  switch (step) {
    case 'shell':
    case 'remote': {
      const code = step === 'shell' ? 'compose_shell_invalid' : 'compose_remote_invalid';
      const problem = `the server bundle cannot be loaded: ${message}${whereIn(cause.stack, remote)}.`;
      return new ComposeError(code, step === 'shell' ? { ...place, app: 'shell' } : place, problem, {
        cause,
      });
    }
    case 'missing':
      return new ComposeError('compose_page_missing', place, `is missing: ${message}.`, { cause });
    case 'page':
      return new ComposeError(
        'compose_page_failed',
        place,
        `cannot be rendered: ${cause.name}: ${message}${whereIn(cause.stack, remote)}`,
        { cause },
      );
  }
}

/** Server bundles are not minified, so function names are readable. */
function whereIn(stack: string, remote: Uint8Array): string {
  const [, name, line, column] =
    /^ +at (?:(?:async )?([^\s(]{1,100}) \()?remote\/server\.js:(\d+):(\d+)/m.exec(stack) ?? [];
  if (line === undefined) return '';
  const file = sourceAt(remote, Number(line));
  return (
    ` (${name === undefined ? '' : `in ${name}, `}${file === null ? '' : `${file}: `}line ${line}, column ` +
    `${column} of its server bundle)`
  );
}

/** From the comment that webpack writes above each module. Null for other bundlers. */
function sourceAt(bundle: Uint8Array, line: number): string | null {
  const above = new TextDecoder().decode(bundle).split('\n', line).reverse();
  const begin = above.find((one) => /^;\/\/ |^\/\*{3}\/ /.test(one)) ?? '';
  return /^;\/\/ (\.\/src\/[\w./-]{1,200})$/.exec(begin)?.[1] ?? null;
}
