import type { ApiError } from '@site/server/api-error';
import type { StoredRelease } from './release.repository.ts';
import { appChanges } from '../versions/app-set.ts';
import { registryErrors } from '../kernel/registry-errors.ts';

/** @param seen the expected release, if it exists. */
export function parentOutdated(
  expected: string,
  current: StoredRelease | null,
  seen: StoredRelease | null,
): ApiError {
  const live = current ? `"${current.release.id}" by ${current.release.by}` : 'no release';
  const changes = seen && current ? appChanges(seen.release.apps, current.release.apps) : [];
  const difference = [
    ...changes.map(({ app, from, to }) => `${app} ${from ?? 'none'} → ${to ?? 'none'}`),
    ...(seen && current && seen.configDigest !== current.configDigest ? ['the configuration'] : []),
  ].join(', ');
  return registryErrors.parent_outdated(
    `"${expected}" was expected to be live, but ${live} is live${difference ? ` (${difference})` : ''}.`,
    { source: { pointer: '/ifLive' } },
  );
}
