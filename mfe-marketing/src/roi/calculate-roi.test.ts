import { calculateRoi } from './calculate-roi.ts';
import { initialRoiValues } from './roi-fields.ts';

const example = initialRoiValues;

test('frees the stated share of the current project hours', () => {
  expect(calculateRoi({ ...example, projects: 4, hours: 120, timeSaved: 60 }).hoursFreed).toBe(288);
});

test('earns with more projects and higher rates between the low and the high end of the claims', () => {
  const { today, low, high } = calculateRoi({ ...example, projects: 4, price: 8000 });
  expect(today.revenue).toBe(32_000);
  // (4 + 2) × 8,000 × 1.25 and (4 + 3) × 8,000 × 1.4
  expect(low.revenue).toBe(60_000);
  expect(high.revenue).toBeCloseTo(78_400);
});

test('the sources of the extra revenue add up to the total', () => {
  const { low, high } = calculateRoi(example);
  expect(low.revenueFromMoreProjects).toBe(16_000);
  expect(low.revenueFromHigherRates).toBe(12_000);
  for (const end of [low, high]) {
    expect(end.revenueFromMoreProjects + end.revenueFromHigherRates).toBeCloseTo(end.extraRevenue);
  }
});

test('subtracts the pay of the same team and the plan from the revenue, so the extra margin is the extra revenue without the plan', () => {
  const { today, low } = calculateRoi({ ...example, cost: 45, plan: 79.99 });
  expect(today.margin).toBe(32_000 - 480 * 45);
  expect(low.hours).toBe(288);
  expect(low.cost).toBeCloseTo(480 * 45 + 79.99);
  expect(low.extraMargin).toBeCloseTo(low.margin - today.margin);
  expect(low.extraMargin).toBeCloseTo(low.extraRevenue - 79.99);
});

test('counts no more projects than the freed hours allow', () => {
  // 60% of one project is freed, and a project then takes 40% of its hours: room for 1.5 projects.
  const { low, high, limitedByHours } = calculateRoi({ ...example, projects: 1 });
  expect([low.moreProjects, high.moreProjects]).toEqual([expect.closeTo(1.5), expect.closeTo(1.5)]);
  expect(limitedByHours).toBe(true);
  expect(high.hours).toBeCloseTo(example.hours);
});

test('reports no limit if all assumed projects fit', () => {
  expect(calculateRoi(example).limitedByHours).toBe(false);
});

test('costs the plan and gains nothing without any improvement', () => {
  const { low, high } = calculateRoi({ ...example, timeSaved: 0, rateLow: 0, rateHigh: 0 });
  for (const end of [low, high]) {
    expect(end.extraRevenue).toBe(0);
    expect(end.extraMargin).toBeCloseTo(-79.99);
  }
});

test.each([
  ['below', { price: 1000 }],
  ['overlapping', { price: 5000, rateLow: 0 }],
  ['within', {}],
  ['above', { price: 80_000 }],
] as const)('reports the extra revenue as %s the stated impact', (expected, change) => {
  expect(calculateRoi({ ...example, ...change }).againstClaim).toBe(expected);
});

test("the example figures are within the specification's stated impact", () => {
  const { low, high } = calculateRoi(example);
  expect(low.extraRevenue).toBeGreaterThanOrEqual(15_000);
  expect(high.extraRevenue).toBeLessThanOrEqual(50_000);
});
