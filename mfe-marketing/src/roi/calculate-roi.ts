import type { RoiValues } from './roi-fields.ts';

export interface MonthOfWork {
  projects: number;
  hours: number;
  revenue: number;
  cost: number;
  margin: number;
}

export interface MonthWithBlocks extends MonthOfWork {
  moreProjects: number;
  revenueFromMoreProjects: number;
  revenueFromHigherRates: number;
  extraRevenue: number;
  extraMargin: number;
}

export interface RoiResult {
  today: MonthOfWork;
  low: MonthWithBlocks;
  high: MonthWithBlocks;
  hoursFreed: number;
  /** Whether the freed hours fit fewer projects than assumed, which limits `high`. */
  limitedByHours: boolean;
  againstClaim: 'below' | 'overlapping' | 'within' | 'above';
}

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
