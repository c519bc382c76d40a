import { FINE_BETS, type Group, type Stratum, type WeighedAnswers } from './comparison.ts';
import { logPaid, logPaidAgainstRate, onLine, type Count, type Rates } from './evidence.ts';
import { finite } from './finite.ts';
import { QUESTIONS, type Line, type Question } from './questions.ts';

const USUAL_VIEWS = 20;

export interface Paid {
  worse: number[];
  doubt: number[];
  fine: number[];
}

/** The control's rate by previous answers, known before the judged block. */
export function estimate(past: Count, question: Question): number {
  return (past.yes + USUAL_VIEWS * QUESTIONS[question].usual) / (past.views + USUAL_VIEWS);
}

const worseThan = (rate: number, part: number) => rate + part * (1 - rate);
const fineBelow = (control: number, rate: number, part: number) => control + part * (rate - control);

export function payAgainstLive(
  { judged, admitted, control }: WeighedAnswers,
  past: Count,
  question: Question,
): Paid {
  const { tolerated, bets, acceptable } = QUESTIONS[question];
  const rate = estimate(past, question);
  const worst = onLine(tolerated, rate);
  const best = onLine(acceptable, rate);
  const pays = (answers: Count, line: Line, bet: number) =>
    logPaid({ judged: bet, control: rate } satisfies Rates, line, answers, control);
  // If every rate is tolerated or acceptable, there is nothing to bet on.
  const worse = (answers: Count) =>
    bets.map(({ part }) =>
      worst < 1 && answers.views > 0 ? pays(answers, tolerated, worseThan(worst, part)) : 0,
    );
  return paid({
    ...byBoth(worse, judged, admitted),
    fine: FINE_BETS.map(({ part }) => (best < 1 ? pays(judged, acceptable, fineBelow(rate, best, part)) : 0)),
  });
}

export function payAgainstRecord(
  { judged, admitted }: WeighedAnswers,
  record: NonNullable<Stratum['record']>,
  question: Question,
): Paid {
  const { tolerated, acceptable } = QUESTIONS[question];
  const best = onLine(acceptable, record.lower);
  const rate = record.counted.yes / Math.max(1, record.counted.views);
  return paid({
    ...byBoth((answers) => againstRate(onLine(tolerated, record.upper), answers, question), judged, admitted),
    // For a small record, the lower bound of the record's own rate may exceed the acceptable rate.
    fine: fineAgainstRate(rate, best, judged),
  });
}

/** A page without a control is judged by fixed rates. */
export function payAlone({ judged, admitted }: WeighedAnswers, question: Question): Paid {
  const { alone, acceptable, usual, bets } = QUESTIONS[question];
  if (!alone) return { worse: bets.map(() => 0), doubt: bets.map(() => 0), fine: FINE_BETS.map(() => 0) };
  return paid({
    worse: againstRate(alone.bad, admitted, question),
    doubt: againstRate(alone.doubted, judged, question),
    fine: fineAgainstRate(usual, onLine(acceptable, usual), judged),
  });
}

function paid(logs: Paid): Paid {
  for (const [name, each] of Object.entries(logs) as [string, number[]][])
    for (const log of each) finite(log, `What a block paid (${name})`);
  return logs;
}

/** Usually no answer is omitted, and both are equal. */
function byBoth(worse: (answers: Count) => number[], judged: Count, admitted: Count) {
  const doubt = worse(judged);
  const isSame = judged.views === admitted.views && judged.yes === admitted.yes;
  return { doubt, worse: isSame ? doubt : worse(admitted) };
}

const againstRate = (rate: number, answers: Count, question: Question) =>
  QUESTIONS[question].bets.map(({ part }) =>
    rate < 1 ? logPaidAgainstRate(worseThan(rate, part), rate, answers) : 0,
  );

const fineAgainstRate = (rate: number, best: number, answers: Count) =>
  FINE_BETS.map(({ part }) =>
    rate < best && best < 1
      ? logPaidAgainstRate(Math.max(fineBelow(rate, best, part), 1e-6), best, answers)
      : 0,
  );

/**
 * The evidence against a page by all its answers, including those that wait for a control. Until there is a control,
 * the page is judged as new.
 */
export function pendingDoubt({ doubt }: Group, strata: readonly Stratum[], question: Question): number[] {
  const { alone } = QUESTIONS[question];
  if (!alone) return doubt;
  const waiting = strata
    .filter(({ isNew, record, open }) => !isNew && !record && open.control.views === 0)
    .map(({ open }) => againstRate(alone.doubted, open.judged, question));
  return doubt.map((log, bet) => waiting.reduce((sum, each) => sum + (each[bet] ?? 0), log));
}
