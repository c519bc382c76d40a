import type { Release, SiteConfig } from '@site/contract';
import type { AuthorFields } from '@site/contract/author-fields';
import type { LiveSet } from './app-set.ts';

/** A release that is to be made: what its author decides. The rest follows when it is made. */
export interface ReleasePlan extends LiveSet {
  kind: Release['kind'];
  config: SiteConfig;
  said: AuthorFields;
}
