import type { ChannelName } from '@site/contract';
import { hasLink } from '@site/contract/typed-text';
import { isTime } from '@site/guard/questions';
import { missingFor, describeEvidence } from '@site/guard/sentence';
import type { Evidence } from '@site/guard/verdict';
import { commonestFault } from './fault.repository.ts';
import type { Judgement } from './judgement.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { STATE_FORMAT } from './judgement.ts';

export async function formatVerdict(
  db: RegistryDb,
  channel: ChannelName,
  judgement: Judgement,
): Promise<string> {
  const { verdict } = judgement;
  const describeWithMessage = async (evidence: Evidence) =>
    describe(judgement, evidence, await findMessage(db, channel, judgement, evidence));
  switch (verdict.is) {
    case 'bad':
      return describeWithMessage(verdict.evidence);
    case 'good':
      // Stored permanently, and the message would describe other faults.
      return verdict.evidence.map((evidence) => describe(judgement, evidence, undefined)).join('; ');
    case 'waiting': {
      const waits = `waits for ${missingFor(verdict.lacking)}`;
      return verdict.suspected
        ? `${waits}; suspected: ${await describeWithMessage(verdict.suspected)}`
        : waits;
    }
  }
}

async function findMessage(
  db: RegistryDb,
  channel: ChannelName,
  { app, version }: Judgement,
  { question, route, judged }: Evidence,
): Promise<string | undefined> {
  const isFault = question === 'fault' || question === 'late-fault';
  if (!isFault || judged.yes === 0) return undefined;
  const message = await commonestFault(db, channel, { app, version, route });
  return message
    ?.replace(links, '(link)')
    .replaceAll(/\S+/g, (word) => (hasLink(word) ? word.replaceAll('.', '. ') : word));
}

/** Any client can report a text, and mail and chat programs show addresses in it as links. */
const links = /(?:\b[a-z][a-z\d+.-]*:\/\/|\bwww\.)\S*|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/\S*/gi;

function describe(
  { version, control, limits, format }: Judgement,
  evidence: Evidence,
  message: string | undefined,
): string {
  const { question, route, engine } = evidence;
  // Other formats have limits of another shape.
  const ofRoute =
    isTime(question) && route !== undefined && format === STATE_FORMAT ? limits[question][route] : undefined;
  const meant = engine ? [ofRoute?.[engine]] : Object.values(ofRoute ?? {});
  return describeEvidence(evidence, {
    judged: version,
    control: control ?? 'no version before',
    ...(message !== undefined && { message }),
    limits: meant.filter((limit) => limit !== undefined),
  });
}
