import type { ChannelName } from '@site/contract';
import { missingFor, sentenceOf } from '@site/guard/sentence';
import type { Evidence } from '@site/guard/verdict';
import { commonestFault } from '../database/fault.repository.ts';
import type { Judgement } from '../database/guard.repository.ts';
import type { RegistryDb } from '../database/tables.ts';

/** What speaks for the verdict on a version, or what is missing for one, for people. */
export async function tellJudgement(
  db: RegistryDb,
  channel: ChannelName,
  judgement: Judgement,
): Promise<string> {
  const { verdict } = judgement;
  const tell = (evidence: Evidence) => tellEvidence(db, channel, judgement, evidence);
  switch (verdict.is) {
    case 'bad':
      return tell(verdict.evidence);
    case 'good':
      return (await Promise.all(verdict.evidence.map(tell))).join('; ');
    case 'waiting': {
      const waits = `waits for ${missingFor(verdict.lacking)}`;
      return verdict.suspected ? `${waits}; suspected: ${await tell(verdict.suspected)}` : waits;
    }
  }
}

async function tellEvidence(
  db: RegistryDb,
  channel: ChannelName,
  { app, version, control, limits }: Judgement,
  evidence: Evidence,
): Promise<string> {
  const { question, route, judged } = evidence;
  const isFault = question === 'fault' || question === 'late-fault';
  const message =
    isFault && judged.yes > 0 ? await commonestFault(db, channel, { app, version, route }) : undefined;
  const limit =
    (question === 'lcp' || question === 'inp') && route !== undefined ? limits[question][route] : undefined;
  return sentenceOf(evidence, {
    judged: version,
    control: control ?? 'no version before',
    ...(message !== undefined && { message }),
    ...(limit && { limits: limit }),
  });
}
