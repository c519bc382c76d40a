import type { RenderedPage, SiteConfig, VariantChoice } from '@site/contract';

/** What the composer asks of its child process: first to load the two bundles, then one page at a time. */
export type SandboxRequest =
  | { type: 'load'; shell: Uint8Array; remote: Uint8Array }
  | {
      type: 'render';
      path: string;
      module: string;
      variants: VariantChoice;
      config: SiteConfig;
    };

/** An error as it crosses the process boundary. */
export interface SandboxFailure {
  name: string;
  message: string;
  stack: string;
}

export type SandboxReply =
  | { type: 'loaded' }
  | { type: 'rendered'; page: RenderedPage }
  | { type: 'failed'; step: 'shell' | 'remote' | 'missing' | 'page'; failure: SandboxFailure };
