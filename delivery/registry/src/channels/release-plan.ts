import type { Release, SiteConfig } from '@site/contract';
import type { AuthorFields } from '@site/contract/author-fields';
import type { LiveSet } from '../versions/app-set.ts';

/** The author's decisions. The rest is derived when the release is made. */
export interface ReleasePlan extends LiveSet {
  kind: Release['kind'];
  config: SiteConfig;
  said: AuthorFields;
}
