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
import { ComposeError, type ComposePlace } from './compose-error.ts';
import { startSandbox, type Sandbox, type SandboxEnd } from './sandbox-process.ts';
import type { SandboxReply } from './sandbox/messages.ts';

export interface ComposerOptions {
  /** How long loading the bundles, and then each page, may take. */
  timeoutMs?: number;
  /** The child process's heap. */
  maxOldSpaceMb?: number;
}

/** All pages of one remote in one shell. */
export interface ComposeRequest {
  /** The remote's name, for messages. */
  app: string;
  shell: Uint8Array;
  remote: Uint8Array;
  config: SiteConfig;
  pages: { path: string; module: string; variants?: Variants | undefined }[];
}

export interface ComposedPage {
  path: string;
  variantKey: string;
  page: RenderedPage;
}

export interface Composer {
  /** @throws ComposeError for the first page that does not render. */
  compose(request: ComposeRequest): Promise<ComposedPage[]>;
}

/** Renders pages ahead of time, each request in a fresh child process without secrets, files or network. */
export function createComposer({ timeoutMs = 10_000, maxOldSpaceMb = 256 }: ComposerOptions = {}): Composer {
  return {
    async compose(request) {
      const sandbox = startSandbox({ timeoutMs, maxOldSpaceMb });
      try {
        await loadBundles(sandbox, request, timeoutMs);
        const composed: ComposedPage[] = [];
        let size = 0;
        for (const page of request.pages) {
          for (const choice of variantChoices(page.variants)) {
            const result = await renderPage(sandbox, request, page, choice, timeoutMs);
            size += result.page.head.length + result.page.html.length;
            if (size > versionLimits.bytes) throw tooLarge(request.app, result, size);
            composed.push(result);
          }
        }
        return composed;
      } finally {
        sandbox.kill();
      }
    },
  };
}

async function loadBundles(sandbox: Sandbox, request: ComposeRequest, timeoutMs: number): Promise<void> {
  const reply = await sandbox.ask({ type: 'load', shell: request.shell, remote: request.remote });
  if (reply.type !== 'loaded') {
    throw explain(reply, { app: request.app, path: null, variant: null }, timeoutMs);
  }
}

async function renderPage(
  sandbox: Sandbox,
  request: ComposeRequest,
  { path, module }: ComposeRequest['pages'][number],
  choice: VariantChoice,
  timeoutMs: number,
): Promise<ComposedPage> {
  const key = variantKey(choice);
  const place = { app: request.app, path, variant: key || null };
  const { config } = request;
  const reply = await sandbox.ask({ type: 'render', path, module, variants: choice, config });
  if (reply.type !== 'rendered') throw explain(reply, place, timeoutMs);
  const checked = checkPage(reply.page);
  if ('problem' in checked) throw new ComposeError('compose_page_invalid', place, `${checked.problem}.`);
  return { path, variantKey: key, page: checked.page };
}

/** All pages of a remote are in memory at once until they are stored. */
function tooLarge(app: string, { path, variantKey: key }: ComposedPage, size: number): ComposeError {
  return new ComposeError(
    'compose_page_invalid',
    { app, path, variant: key || null },
    `makes ${size} characters of rendered pages, of which a version has at most ${versionLimits.bytes}.`,
  );
}

/** Turns whatever stood in the place of a good answer into the error that the publisher reads. */
function explain(reply: SandboxReply | SandboxEnd, place: ComposePlace, timeoutMs: number): ComposeError {
  const doing = place.path === null ? 'loading its server bundle' : 'rendering';
  switch (reply.type) {
    case 'failed': {
      // As long as a page likes: it goes into answers and logs.
      const message = reply.failure.message.slice(0, 2_000);
      const { name, stack } = reply.failure;
      const cause = Object.assign(new Error(message), { name, stack });
      if (reply.step === 'shell') {
        const shell = { ...place, app: 'shell' };
        return new ComposeError(
          'compose_shell_invalid',
          shell,
          `the server bundle cannot be loaded: ${message}.`,
          {
            cause,
          },
        );
      }
      if (reply.step === 'remote') {
        return new ComposeError(
          'compose_remote_invalid',
          place,
          `the server bundle cannot be loaded: ${message}.`,
          {
            cause,
          },
        );
      }
      if (reply.step === 'missing') {
        return new ComposeError('compose_page_missing', place, `is missing: ${message}.`, { cause });
      }
      return new ComposeError('compose_page_failed', place, `cannot be rendered: ${name}: ${message}`, {
        cause,
      });
    }
    case 'timeout':
      return new ComposeError(
        'compose_page_timeout',
        place,
        `did not finish ${doing} within ${timeoutMs} ms.`,
      );
    case 'out-of-memory':
      return new ComposeError('compose_out_of_memory', place, `ran out of memory while ${doing}.`);
    case 'exited':
      return new ComposeError('compose_page_exited', place, `${reply.how} while ${doing}.`);
    case 'unavailable':
      return new ComposeError(
        'compose_unavailable',
        place,
        `could not be composed: the child process did not start (${reply.cause.message}).`,
        { cause: reply.cause },
      );
    default:
      return new ComposeError('compose_page_exited', place, `answered out of turn while ${doing}.`);
  }
}
