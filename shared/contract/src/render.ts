import type { SiteConfig } from './site-config.schema.ts';
import type { RenderedPage } from './release.schema.ts';
import type { VariantChoice } from './variants.ts';

export interface RenderRequest {
  path: string;
  component: unknown;
  config: SiteConfig;
  variants: VariantChoice;
}

export interface ShellServerBundle {
  shared: Record<string, unknown>;
  render(request: RenderRequest): Promise<RenderedPage>;
}

export type RemoteServerBundle = Record<string, unknown>;
