import type { RoiValues } from './roi-fields.ts';

/** One month of an agency. Money in US dollars. */
export interface MonthOfWork {
  projects: number;
  hours: number;
  revenue: number;
  /** Hours at the cost of an hour, and the plan where there is one. */
  cost: number;
  /** Revenue less cost. */
  margin: number;
}

/** A month with blocks, and where its extra revenue comes from. */
export interface MonthWithBlocks extends MonthOfWork {
  moreProjects: number;
  revenueFromMoreProjects: number;
  revenueFromHigherRates: number;
  extraRevenue: number;
  extraMargin: number;
}

export interface RoiResult {
  today: MonthOfWork;
  /** With the lower end of each assumed range, and with the upper end. */
  low: MonthWithBlocks;
  high: MonthWithBlocks;
  /** Hours a month that today's projects no longer take. */
  hoursFreed: number;
  /** Whether the freed hours hold fewer projects than assumed, so that `high` counts only those that fit. */
  limitedByHours: boolean;
  /** Where the extra revenue stands against the stated monthly revenue impact. */
  againstClaim: 'below' | 'overlapping' | 'within' | 'above';
}

/** What blocks change for an agency in a month. Expects values inside the limits of `roiFields`. */
export function calculateRoi(values: RoiValues): RoiResult {
  const { projects, hours, cost: hourCost, price } = values;

  const month = (count: number, hoursEach: number, revenue: number, plan: number): MonthOfWork => {
    const worked = count * hoursEach;
    const cost = worked * hourCost + plan;
    return { projects: count, hours: worked, revenue, cost, margin: revenue - cost };
  };

  const today = month(projects, hours, projects * price, 0);
  const hoursWithBlocks = hours * (1 - values.timeSaved / 100);
  const hoursFreed = projects * (hours - hoursWithBlocks);
  const room = hoursFreed / hoursWithBlocks;

  const withBlocks = (assumedProjects: number, ratePercent: number): MonthWithBlocks => {
    // More projects come out of freed hours: no one is hired, so no more of them than fit.
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
