export { toPercent } from './canary-share.ts';
export { type ExperimentRow, readExperimentCounts } from './experiment.repository.ts';
export { readForms } from './form-signal.repository.ts';
export { formatVerdict } from './format-verdict.ts';
export { faultShare, p75, summarizeHealth } from './health.ts';
export {
  type Judgement,
  endJudgement,
  endJudgements,
  listJudgements,
  startJudgement,
} from './judgement.repository.ts';
export {
  type Judged,
  type JudgementState,
  STATE_FORMAT,
  recordLimits,
  recordedAnswers,
  seenEngines,
} from './judgement.ts';
export { onlyIn } from './only-engine.ts';
export { takeSignals } from './record-signals.ts';
export { showFaults } from './show-faults.ts';
export { showSeries } from './show-series.ts';
export {
  type Around,
  type SignalsWanted,
  type TimedSums,
  readAround,
  readSeries,
  readSignals,
} from './signal-series.repository.ts';
export {
  type ByEngine,
  type JudgedSums,
  PULSE_MS,
  type PlacedSums,
  type SignalPlace,
  type SignalSums,
  startOfHour,
} from './signal-sums.ts';
export { forgetSignals, inTurn, signalKey } from './signal.repository.ts';
export {
  type CanaryStages,
  beginStages,
  endStages,
  listStages,
  moveStage,
  noteStage,
} from './stage.repository.ts';
export {
  dropAllStandings,
  dropStanding,
  findStanding,
  listStandings,
  noteStanding,
  readStandings,
} from './standing.repository.ts';
