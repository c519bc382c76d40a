import { untilPainted } from './until-painted.ts';

/** Mocks the browser's navigation and paint timing entries. */
function entries(navigation: PerformanceEntryList, paint: PerformanceEntryList): void {
  Object.assign(performance, { getEntriesByType: () => navigation, getEntriesByName: () => paint });
}
beforeEach(() => entries([], []));

const showTab = (isShown: boolean) => jest.spyOn(document, 'hidden', 'get').mockReturnValue(!isShown);

test('a visible page is painted first', async () => {
  showTab(true);
  const happened: string[] = [];
  requestAnimationFrame(() => happened.push('frame'));
  const painted = untilPainted().then(() => happened.push('start'));
  requestAnimationFrame(() => happened.push('the same frame'));
  await painted;
  expect(happened).toEqual(['frame', 'the same frame', 'start']);
});

const parsedAt = (domInteractive: number) => [{ domInteractive }] as unknown as PerformanceEntryList;
const paintedAt = (startTime: number) => [{ startTime }] as unknown as PerformanceEntryList;

test('scripts that arrive long after the first paint do not wait', async () => {
  showTab(true);
  const frame = jest.spyOn(window, 'requestAnimationFrame');
  const now = performance.now();
  entries(parsedAt(now - 200), paintedAt(now - 300));
  await untilPainted();
  expect(frame).not.toHaveBeenCalled();
});

test.each([
  ['was just parsed', 10, 300],
  ['was just painted', 300, 10],
])('a page that %s waits for its frame', async (_, parsed, painted) => {
  showTab(true);
  const frame = jest.spyOn(window, 'requestAnimationFrame');
  const now = performance.now();
  entries(parsedAt(now - parsed), paintedAt(now - painted));
  await untilPainted();
  expect(frame).toHaveBeenCalledTimes(1);
});

test('a page in a hidden tab starts anyway', async () => {
  showTab(false);
  const frame = jest.spyOn(window, 'requestAnimationFrame');
  await untilPainted();
  expect(frame).not.toHaveBeenCalled();
});

test('a tab hidden before its first frame starts anyway', async () => {
  showTab(true);
  jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  const painted = untilPainted();
  document.dispatchEvent(new Event('visibilitychange'));
  await painted;
});
