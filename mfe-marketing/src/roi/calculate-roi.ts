import type { RoiValues } from './roi-fields.ts';

/** One month of an agency, in US dollars. */
export interface MonthOfWork {
  projects: number;
  hours: number;
  revenue: number;
  /** The team's pay, plus the plan if there is one. */
  cost: number;
  margin: number;
}

/** A month with blocks, and the sources of its extra revenue. */
export interface MonthWithBlocks extends MonthOfWork {
  moreProjects: number;
  revenueFromMoreProjects: number;
  revenueFromHigherRates: number;
  extraRevenue: number;
  extraMargin: number;
}

export interface RoiResult {
  today: MonthOfWork;
  /** The result for the lower end and for the upper end of each assumed range. */
  low: MonthWithBlocks;
  high: MonthWithBlocks;
  /** Hours per month that the current projects no longer need. */
  hoursFreed: number;
  /** Whether the freed hours fit fewer projects than assumed, which limits `high`. */
  limitedByHours: boolean;
  /** The extra revenue compared with the stated monthly revenue impact. */
  againstClaim: 'below' | 'overlapping' | 'within' | 'above';
}

/** The effect of blocks on an agency's month. Expects values inside the limits of `roiFields`. */
export function calculateRoi(values: RoiValues): RoiResult {
  const { projects, hours, cost: hourCost, price } = values;

  const month = (count: number, hoursEach: number, revenue: number, plan: number): MonthOfWork => {
    // The team's pay does not depend on the freed hours: no one is hired, and no one is laid off.
    const cost = projects * hours * hourCost + plan;
    return { projects: count, hours: count * hoursEach, revenue, cost, margin: revenue - cost };
  };

  const today = month(projects, hours, projects * price, 0);
  const hoursWithBlocks = hours * (1 - values.timeSaved / 100);
  const hoursFreed = projects * (hours - hoursWithBlocks);
  const room = hoursFreed / hoursWithBlocks;

  const withBlocks = (assumedProjects: number, ratePercent: number): MonthWithBlocks => {
    // Additional projects use freed hours only, without new hires.
    const moreProjects = Math.min(assumedProjects, room);
    const total = projects + moreProjects;
    const revenueFromMoreProjects = moreProjects * price;
    const revenueFromHigherRates = total * price * (ratePercent / 100);
    const extraRevenue = revenueFromMoreProjects + revenueFromHigherRates;
    const work = month(total, hoursWithBlocks, today.revenue + extraRevenue, values.plan);
    return {
      ...work,
      moreProjects,
      revenueFromMoreProjects,
      revenueFromHigherRates,
      extraRevenue,
      extraMargin: work.margin - today.margin,
    };
  };

  const low = withBlocks(values.moreLow, values.rateLow);
  const high = withBlocks(values.moreHigh, values.rateHigh);
  return {
    today,
    low,
    high,
    hoursFreed,
    limitedByHours: room < values.moreHigh,
    againstClaim: compare(low.extraRevenue, high.extraRevenue, values.claimLow, values.claimHigh),
  };
}

function compare(low: number, high: number, claimLow: number, claimHigh: number): RoiResult['againstClaim'] {
  if (high < claimLow) return 'below';
  if (low > claimHigh) return 'above';
  return low >= claimLow && high <= claimHigh ? 'within' : 'overlapping';
}
