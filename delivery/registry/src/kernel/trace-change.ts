import type { Release } from '@site/contract';
import {
  currentTraceparent,
  isTracing,
  releaseTraceparent,
  setSpanAttributes,
  startSpan,
} from '@site/contract/tracing';

interface Traceable {
  release?: Partial<Pick<Release, 'id' | 'channel' | 'at' | 'by' | 'apps'>>;
}

/** Names the release in the request's span; a new release begins its own trace, which the edges join. */
export function traceChange(body: object, isNew: boolean): void {
  if (!isTracing()) return;
  const { id, channel, at, by, apps } = (body as Traceable).release ?? {};
  if (!id || !channel || !at || !by || !apps) return;
  setSpanAttributes({ 'site.release': id });
  if (!isNew) return;
  const versions = Object.entries(apps).map(([name, one]) => `${name}@${one}`);
  startSpan({
    name: 'release',
    identity: releaseTraceparent({ channel, id, at, by }),
    link: currentTraceparent(),
    isRare: true,
    attributes: {
      'site.release': id,
      'site.channel': channel,
      'site.versions': versions.join(' ').slice(0, 4_000),
    },
  })?.end();
}
