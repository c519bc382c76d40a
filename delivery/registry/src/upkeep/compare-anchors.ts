import type { VerificationAnswer } from '@site/contract';
import type { Anchor } from './anchor.ts';
import type { AnchorsRead } from './audit-anchors.ts';

type AnchorCheck = VerificationAnswer['audit']['anchors'];

export interface LogToCompare {
  entries: number;
  isWhole: boolean;
  hashes: ReadonlyMap<number, string>;
  lastWritten: { epoch: number; sequence: number };
}

/** Older anchors may have been thinned out although others still link to them. */
const LINKS_CHECKED = 32;

export function compareAnchors({ anchors, bad }: AnchorsRead, log: LogToCompare): Omit<AnchorCheck, 'key'> {
  const binding = anchors.filter((anchor) => anchor.sequence <= givenUpAfter(anchors, anchor.epoch));
  const newest = anchors.at(-1);
  const problems = [
    ...shortened(binding, log),
    ...rewritten(binding, log),
    ...missing(anchors, log),
    ...bad.map(({ name, problem }) => `The anchor ${name} ${problem}.`),
  ];
  return {
    checked: anchors.length,
    newest: newest ? { sequence: newest.sequence, hash: newest.hash, at: newest.at } : null,
    restored: anchors.flatMap(({ epoch, at, continues }) =>
      continues
        ? [{ at, sequence: continues.sequence, givenUp: givenUp(anchors, epoch, continues.sequence) }]
        : [],
    ),
    problems,
  };
}

/** A restore discards the entries after its backup; earlier entries must be unchanged. */
function givenUpAfter(anchors: readonly Anchor[], epoch: number): number {
  const later = anchors.filter((anchor) => anchor.epoch > epoch && anchor.continues);
  return Math.min(...later.map(({ continues }) => continues?.sequence ?? 0), Infinity);
}

function givenUp(anchors: readonly Anchor[], epoch: number, restoredTo: number): number {
  const before = anchors.filter((anchor) => anchor.epoch === epoch - 1).at(-1);
  return Math.max((before?.sequence ?? 0) - restoredTo, 0);
}

function shortened(binding: readonly Anchor[], { entries, isWhole }: LogToCompare): string[] {
  const furthest = binding.reduce<Anchor | null>((a, b) => (a && a.sequence >= b.sequence ? a : b), null);
  // A broken chain is reported separately.
  if (!furthest || furthest.sequence <= entries || !isWhole) return [];
  return [
    `The log was shortened: it ends with entry ${entries}, ` +
      `but entry ${furthest.sequence} was anchored at ${furthest.at}.`,
  ];
}

function rewritten(binding: readonly Anchor[], { entries, hashes }: LogToCompare): string[] {
  const known = binding.filter(({ sequence }) => sequence <= entries).sort((a, b) => a.sequence - b.sequence);
  const first = known.find(({ sequence, hash }) => hashes.get(sequence) !== hash);
  if (!first) return [];
  const before = known.filter(({ sequence }) => sequence < first.sequence).at(-1)?.sequence ?? 0;
  const range = before + 1 === first.sequence ? `entry` : `one of the entries ${before + 1} to`;
  return [`The log was rewritten: ${range} ${first.sequence} is not what was anchored at ${first.at}.`];
}

function missing(anchors: readonly Anchor[], { entries, lastWritten }: LogToCompare): string[] {
  const newest = anchors.at(-1);
  if (!newest) return entries > 0 ? ['No anchor of the log is in the artifact store.'] : [];
  const places = new Set(anchors.map(({ epoch, sequence }) => `${epoch} ${sequence}`));
  const gone = new Set(
    anchors
      .slice(-LINKS_CHECKED)
      .filter(
        ({ epoch, sequence, previous }) => previous === sequence || !places.has(`${epoch} ${previous ?? ''}`),
      )
      .flatMap(({ previous }) => previous ?? []),
  );
  const isBehind = newest.epoch === lastWritten.epoch && newest.sequence < lastWritten.sequence;
  if (isBehind) gone.add(lastWritten.sequence);
  return [...gone].map((sequence) => `The anchor of entry ${sequence} was taken out of the artifact store.`);
}
