import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelName, ChannelNameSchema } from '@site/contract';
import { edgeAddresses } from '@site/contract/edge-addresses';
import { clockSkewText } from '@site/contract/clock-skew';
import { timeText } from '@site/contract/text';
import type { CertificateEnd } from './certificate-end.ts';
import type { ServiceProblem } from './service-problem.ts';
import { type ChannelSnapshot, findChannel, releasesText } from '../channels/index.ts';
import { expiredEdgeTokens, listEndingTokens } from '../access/index.ts';
import { listEdges, edgeState, isSilent } from '../edges/index.ts';
import { findManifests, listUsage } from '../versions/index.ts';
import { beginTrouble, endTrouble, listTroubles } from './trouble.repository.ts';
import { failingCaches } from '../kernel/cache.repository.ts';
import { findUnconfirmed } from '../kernel/audit.repository.ts';
import type { Trouble } from './alert.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled } from '../kernel/scheduling.ts';
import { SECURITY_TXT, securityTxtExpiry } from '@site/documents/security-txt';

/**
 * Grace period before a problem is reported. Longer than an edge needs to load a release, and than a restart of either
 * side.
 */
const TOLD_AFTER_MS = 30_000;
const NEAR_QUOTA = 0.8;
const NEAR_END_MS = 14 * DAY_MS;
const NEAR_EXPIRY_MS = 30 * DAY_MS;
/** These checks send requests to other services. */
const STORE_EVERY_MS = 10_000;
const CERTIFICATE_EVERY_MS = HOUR_MS;
const STORE_WITHIN_MS = 5_000;

/** A current problem; `since` null: transient, reported only if it persists. */
type Found = Omit<Trouble, 'since'> & { since: Date | null };

/** Requests to other servers. */
export interface OutsideChecks {
  certificateEnd: CertificateEnd;
  serviceProblem: ServiceProblem;
}

export function createTroubleWatch(
  context: RegistryContext,
  { certificateEnd, serviceProblem }: OutsideChecks,
  onStoreProblem: (error: unknown) => void,
): () => Promise<void> {
  const { db, composer, now, clock } = context;
  let seen = new Map<string, Date>();
  let lastCheck = -Infinity;
  let checkingSince = new Date(0);
  const storeProblem = throttle(now, STORE_EVERY_MS, (channels) =>
    checkStore(context, channels, onStoreProblem),
  );
  const services = throttle(now, STORE_EVERY_MS, (channels) => failingServices(channels, serviceProblem));
  const findEnds = throttle(now, CERTIFICATE_EVERY_MS, (channels) =>
    readCertificateEnds(channels, certificateEnd),
  );
  let ends: Ends = new Map();

  /** Unknown state: neither reported nor cleared. */
  const isUnknown = ({ kind, subject }: Trouble, at: Date) =>
    // A composer has just been started when the watch begins.
    (kind === 'composer' && at.getTime() - checkingSince.getTime() < TOLD_AFTER_MS) ||
    (kind === 'certificate' && ends.get(subject)?.until === null);

  async function find(at: Date): Promise<Found[]> {
    const composerProblem = composer.problem?.() ?? null;
    const channels = await Promise.all(ChannelNameSchema.options.map((channel) => findChannel(db, channel)));
    // Concurrently: each can take 5 s, and the lease of `keepAlerting` expires after 15 s.
    const [storeProblemText, failing, found] = await Promise.all([
      storeProblem(channels),
      services(channels),
      findEnds(channels),
    ]);
    ends = found;
    return [
      ...(await Promise.all(channels.map((snapshot) => edgesIn(context, snapshot, at)))).flat(),
      ...(await wrongClocks(context)),
      ...transient('composer', composerProblem),
      ...transient('store', storeProblemText),
      ...(await unpurgedCaches(context)),
      ...(await unconfirmedLog(context, at)),
      ...failing,
      ...(await nearQuota(context, at)),
      ...nearEnd(ends, at),
      ...(await securityTextsNearExpiry(context, channels, at)),
      ...(await tokensNearEnd(context, at)),
    ];
  }

  return async () => {
    await clock.measure();
    const at = now();
    // Edges cannot report while the registry is down, so they get the grace period again, as after a step of the
    // database's clock, which makes all earlier times meaningless.
    const hasStepped = at.getTime() < lastCheck;
    if (hasStepped || at.getTime() - lastCheck > TOLD_AFTER_MS) checkingSince = at;
    if (hasStepped) seen = new Map([...seen.keys()].map((key) => [key, at]));
    lastCheck = at.getTime();
    const before = await listTroubles(db);
    const found = (await find(at)).map((trouble) => ({
      ...trouble,
      since: trouble.since ?? seen.get(troubleKey(trouble)) ?? at,
    }));
    seen = new Map(found.map((trouble) => [troubleKey(trouble), trouble.since]));
    const known = new Set(before.map(troubleKey));
    const lasting = found.filter(({ kind, since }) => {
      const from = kind === 'edge' ? Math.max(since.getTime(), checkingSince.getTime()) : since.getTime();
      return at.getTime() - from >= TOLD_AFTER_MS;
    });
    await forEachSettled(
      lasting.filter((trouble) => !known.has(troubleKey(trouble))),
      (trouble) => beginTrouble(db, trouble, at),
    );
    await forEachSettled(
      before.filter((trouble) => !seen.has(troubleKey(trouble)) && !isUnknown(trouble, at)),
      (trouble) => endTrouble(db, trouble, at),
    );
  };
}

const transient = (kind: 'composer' | 'store', says: string | null): Found[] =>
  says === null ? [] : [{ kind, channel: null, subject: kind, says, since: null }];

const troubleKey = ({ kind, subject }: Pick<Trouble, 'kind' | 'subject'>) => `${kind} ${subject}`;

function throttle<T>(
  now: () => Date,
  everyMs: number,
  find: (channels: readonly ChannelSnapshot[]) => Promise<T>,
): typeof find {
  let last: { at: number; found: T } | null = null;
  return async (channels) => {
    const at = now().getTime();
    if (last === null || at - last.at >= everyMs) last = { at, found: await find(channels) };
    return last.found;
  };
}

async function edgesIn({ db }: RegistryContext, snapshot: ChannelSnapshot, at: Date): Promise<Found[]> {
  const { channel, live, canaries } = snapshot;
  const edges = await listEdges(db, channel);
  const silent = edges.filter((edge) => isSilent(edge, at)).map(({ id }) => id);
  const expired = silent.length > 0 ? await expiredEdgeTokens(db, silent, at) : new Map<string, Date>();
  return edges.flatMap((edge): Found[] => {
    const { id, seenAt } = edge;
    const trouble = { kind: 'edge', channel, subject: id } as const;
    const state = edgeState(edge, snapshot, at);
    if (state === 'silent') {
      const end = expired.get(id);
      const says =
        `The edge ${id} on ${channel} has been silent since ${timeText(seenAt)}` +
        (end ? `: its token expired at ${timeText(end)}. It may still serve an old release.` : '.');
      return [{ ...trouble, says, since: seenAt }];
    }
    if (state === 'current') return [];
    const serves = releasesText(edge.release, ...edge.canaries.map((canary) => canary.release));
    const wanted = releasesText(live?.number, ...canaries.map(({ number }) => number));
    const says = edge.hasDiverged
      ? `The edge ${id} on ${channel} serves ${serves} and follows entries of the audit log that the database does ` +
        'not have: run "npx @site/cli recover".'
      : `The edge ${id} on ${channel} serves ${serves} instead of ${wanted}.`;
    return [{ ...trouble, says, since: null }];
  });
}

async function wrongClocks({ db, clock, now }: RegistryContext): Promise<Found[]> {
  const edges = (
    await Promise.all(ChannelNameSchema.options.map((channel) => listEdges(db, channel)))
  ).flat();
  const clocks = [
    ...edges
      .filter((edge) => !isSilent(edge, now()))
      .map(({ id, channel, clockSkewMs }) => ({ of: `the edge ${id}`, channel, skewMs: clockSkewMs ?? 0 })),
    { of: `the registry on ${hostname()}`, channel: null, skewMs: clock.skewMs() },
  ];
  return clocks.flatMap(({ of, channel, skewMs }): Found[] => {
    const skew = clockSkewText(skewMs);
    const says = `The clock of ${of} is ${skew} the database's: synchronize it, for example with NTP.`;
    return skew === null ? [] : [{ kind: 'clock', channel, subject: of, says, since: null }];
  });
}

async function unpurgedCaches({ db }: RegistryContext): Promise<Found[]> {
  return (await failingCaches(db)).map(({ channel, name, problem, since }) => {
    const says =
      `The cache ${name} of ${channel} cannot be purged since ${timeText(since)} and may serve an old release. ` +
      problem;
    return { kind: 'cache', channel, subject: `${channel} ${name}`, says, since };
  });
}

/** Reads a file that every page needs. */
async function checkStore(
  { db, store }: RegistryContext,
  channels: readonly ChannelSnapshot[],
  onProblem: (error: unknown) => void,
): Promise<string | null> {
  const version = channels.find(({ live }) => live !== null)?.live?.release.apps['shell'];
  if (version === undefined) return null;
  const [shell] = (await findManifests(db, [['shell', version]])).values();
  if (!shell) return null;
  const waiting = new AbortController();
  const size = await Promise.race([
    store.blobSize(shell.server.integrity).catch((error: unknown) => {
      onProblem(error);
      return 'The artifact store cannot be read; the log of the registry says why.';
    }),
    sleep(STORE_WITHIN_MS, `The artifact store did not answer within ${STORE_WITHIN_MS / 1000} s.`, {
      ref: false,
      signal: waiting.signal,
    }).catch(() => ''),
  ]);
  waiting.abort();
  if (typeof size === 'string') return size;
  return size === null
    ? `The artifact store has lost a file of shell@${version}: see "npx @site/cli verify".`
    : null;
}

async function failingServices(
  channels: readonly ChannelSnapshot[],
  serviceProblem: ServiceProblem,
): Promise<Found[]> {
  const addresses = new Map<string, { name: string; channel: ChannelName }>();
  for (const { channel, live } of channels)
    if (live) {
      const { gateway, forms } = live.release.config;
      if (gateway.base !== '') addresses.set(gateway.base, { name: 'gateway', channel });
      if (forms.base !== '') addresses.set(forms.base, { name: 'forms service', channel });
    }
  const found = await Promise.all(
    [...addresses].map(async ([base, { name, channel }]): Promise<Found[]> => {
      const problem = await serviceProblem(base);
      const says = `The ${name} at ${base} ${problem}.`;
      return problem === null ? [] : [{ kind: 'service', channel, subject: base, says, since: null }];
    }),
  );
  return found.flat();
}

async function unconfirmedLog({ db }: RegistryContext, at: Date): Promise<Found[]> {
  const found = await findUnconfirmed(db);
  return found
    ? [{ kind: 'store', channel: null, subject: 'audit log', says: found.says, since: longAgo(at) }]
    : [];
}

async function nearQuota({ db, limits }: RegistryContext, at: Date): Promise<Found[]> {
  return (await listUsage(db)).flatMap(({ app, versions, bytes }): Found[] => {
    const used = Math.max(versions / limits.versionsPerApp, bytes / limits.bytesPerApp);
    if (used < NEAR_QUOTA) return [];
    const says =
      `${app} uses ${Math.floor(used * 100)} % of what it may keep (${versions} versions); ` +
      '"npx @site/cli gc" frees what is not needed.';
    return [{ kind: 'quota', channel: null, subject: app, says, since: longAgo(at) }];
  });
}

/** Expiry of certificates, by origin of a live site or its services. Null if it could not be determined. */
type Ends = Map<string, { channel: ChannelName; until: Date | null }>;

async function readCertificateEnds(
  channels: readonly ChannelSnapshot[],
  certificateEnd: CertificateEnd,
): Promise<Ends> {
  const origins = new Map<string, ChannelName>();
  for (const { channel, live } of channels)
    if (live) {
      const { origin, gateway, forms } = live.release.config;
      for (const address of [origin, gateway.base, forms.base])
        if (address !== '') origins.set(new URL(address).origin, channel);
    }
  return new Map(
    await Promise.all(
      [...origins].map(
        async ([origin, channel]) => [origin, { channel, until: await certificateEnd(origin) }] as const,
      ),
    ),
  );
}

function nearEnd(ends: Ends, at: Date): Found[] {
  return [...ends].flatMap(([origin, { channel, until }]): Found[] => {
    if (until === null || until.getTime() - at.getTime() >= NEAR_END_MS) return [];
    const says = `The certificate of ${origin} ends at ${timeText(until)}.`;
    return [{ kind: 'certificate', channel, subject: origin, says, since: longAgo(at) }];
  });
}

/** Two weeks and again a day before the end. Excludes tokens that were issued for this time or less. */
async function tokensNearEnd({ db }: RegistryContext, at: Date): Promise<Found[]> {
  const ending = await listEndingTokens(db, at, new Date(at.getTime() + NEAR_END_MS));
  return ending.flatMap(({ id, name, from, end }): Found[] => {
    const says = `The token ${name} expires at ${timeText(end)}: make another one with "npx @site/cli token create".`;
    const periods = [
      [NEAR_END_MS, id],
      [DAY_MS, `${id} within a day`],
    ] as const;
    return periods
      .filter(([ms]) => end.getTime() - at.getTime() <= ms && end.getTime() - from.getTime() > ms)
      .map(([, subject]) => ({ kind: 'certificate', channel: null, subject, says, since: longAgo(at) }));
  });
}

async function securityTextsNearExpiry(
  { db }: RegistryContext,
  channels: readonly ChannelSnapshot[],
  at: Date,
): Promise<Found[]> {
  const found = await Promise.all(
    channels.map(async ({ channel, live }): Promise<Found[]> => {
      if (!live) return [];
      const { release } = live;
      const until = securityTxtExpiry(release.at);
      const version = release.apps['shell'];
      if (version === undefined || until.getTime() - at.getTime() >= NEAR_EXPIRY_MS) return [];
      const [shell] = (await findManifests(db, [['shell', version]])).values();
      if (shell?.kind !== 'shell' || !(SECURITY_TXT in shell.document.rootFiles)) return [];
      const subject = `${release.config.origin}${edgeAddresses.securityTxt}`;
      const says = `${subject} expires at ${timeText(until)}: any new release renews it.`;
      return [{ kind: 'certificate', channel, subject, says, since: longAgo(at) }];
    }),
  );
  return found.flat();
}

/** Does not resolve itself, so it is reported without a grace period. */
const longAgo = (at: Date) => new Date(at.getTime() - TOLD_AFTER_MS);
