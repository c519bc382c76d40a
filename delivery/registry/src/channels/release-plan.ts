import type { Release, SiteConfig } from '@site/contract';
import type { AuthorFields } from '@site/contract/author-fields';
import type { LiveSet } from '../versions/app-set.ts';

/** The author's decisions about a new release. The rest is derived when it is made. */
export interface ReleasePlan extends LiveSet {
  kind: Release['kind'];
  config: SiteConfig;
  said: AuthorFields;
}
