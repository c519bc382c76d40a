import type { FastifyInstance } from 'fastify';
import { type ChannelName, ChannelNameSchema, releaseNumber } from '@site/contract';
import { LARGEST_NUMBER } from '@site/contract/registry-calls/fields';
import { type Overview, viewCalls } from '@site/contract/registry-calls/view.calls';
import { readForms, startOfHour, showSeries } from '../signals/index.ts';
import { releaseId, requireApp, type ChannelEtags } from '../channels/index.ts';
import { findByText } from './view.repository.ts';
import { compareVersions } from './compare-versions.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { oneAtATime } from '../kernel/scheduling.ts';
import { showExperiments } from './show-experiments.ts';
import { showOverview, visibleOverview } from './show-overview.ts';
import { showTimeline } from './show-timeline.ts';
import { filterVisible, requireSight, sees, visibleApps } from '../kernel/visible-apps.ts';
import { mountCalls } from '../kernel/mount-calls.ts';
import { MINUTE_MS } from '@site/server/durations';

export function viewRoutes(api: FastifyInstance, base: RegistryContext, marks: ChannelEtags): void {
  const { db, now } = base;
  const requireKnown = async (app: string | undefined) => {
    if (app !== undefined) await requireApp(db, app, { parameter: 'app' });
  };
  const since = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS);
  // All viewers of a channel reload when it changes, so share the reads.
  const overviews = new Map(
    ChannelNameSchema.options.map((channel) => [channel, oneAtATime(() => showOverview(base, channel))]),
  );
  const overview = (channel: ChannelName) => (overviews.get(channel) as () => Promise<Overview>)();

  mountCalls(api, base, viewCalls, {
    async readOverview({ params: { channel }, query: { app }, actor }) {
      // One app is cheap to read, so it is not shared.
      const seen = app === undefined ? await overview(channel) : await showOverview(base, channel, app);
      return visibleOverview(actor, seen);
    },

    followMarks: ({ params: { channel }, reply, actor }) => marks.serve(channel, reply, actor),

    async readSeries({ params: { channel }, query: { app, versions, minutes }, actor }) {
      await requireKnown(app);
      requireSight(actor, app);
      const from = since(minutes);
      const series = await showSeries(db, channel, { app, versions: versions?.split(','), from }, now());
      return { since: from.toISOString(), ...series };
    },

    compareVersions({ params, query: { channel, minutes }, actor }) {
      requireSight(actor, params.app);
      return compareVersions(base, params, channel, since(minutes));
    },

    async readTimeline({ params: { channel }, query: { limit, before, app }, actor }) {
      await requireKnown(app);
      const { next, releases } = await showTimeline(db, channel, {
        limit,
        before: before === undefined ? LARGEST_NUMBER : Math.min(releaseNumber(before), LARGEST_NUMBER),
        app,
      });
      const own = ({ app: of }: { app: string }) => sees(actor, of);
      return {
        next,
        releases: releases.map((release) => ({ ...release, around: release.around.filter(own) })),
      };
    },

    async readForms({ params: { channel }, query: { app, minutes }, actor }) {
      await requireKnown(app);
      const from = startOfHour(since(minutes));
      const rows = await filterVisible(actor, app, (of) => readForms(db, channel, { app: of, from }));
      return {
        since: from.toISOString(),
        rows: rows.map(({ app: of, version, route, role, views, sent, refused, failed, lastSent }) => ({
          app: of,
          version,
          route,
          canary: role === 'canary',
          views,
          sent,
          refused,
          failed,
          lastSent: lastSent?.toISOString() ?? null,
        })),
      };
    },

    async readExperiments({ params: { channel }, query: { app }, actor }) {
      await requireKnown(app);
      return { experiments: await filterVisible(actor, app, (of) => showExperiments(db, channel, of)) };
    },

    async search({ query: { text, channel }, actor }) {
      const { apps, versions, releases, people } = await findByText(db, channel, text, visibleApps(actor));
      return {
        apps,
        versions: versions.map((version) => ({ ...version, publishedAt: version.publishedAt.toISOString() })),
        releases: releases.map(({ number, at, by, reason }) => ({
          id: releaseId(number),
          at: at.toISOString(),
          by,
          reason,
        })),
        people: people.map(({ name, last }) => ({ name, last: last.toISOString() })),
      };
    },
  });
}
