import { untilPainted } from './until-painted.ts';

const showTab = (isShown: boolean) => jest.spyOn(document, 'hidden', 'get').mockReturnValue(!isShown);

test('a page that is seen is painted first', async () => {
  showTab(true);
  const happened: string[] = [];
  requestAnimationFrame(() => happened.push('frame'));
  const painted = untilPainted().then(() => happened.push('start'));
  requestAnimationFrame(() => happened.push('the same frame'));
  await painted;
  expect(happened).toEqual(['frame', 'the same frame', 'start']);
});

test('a page in a tab that nobody sees starts all the same', async () => {
  showTab(false);
  const frame = jest.spyOn(window, 'requestAnimationFrame');
  await untilPainted();
  expect(frame).not.toHaveBeenCalled();
});

test('a tab that the visitor leaves before its first frame starts all the same', async () => {
  showTab(true);
  jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
  const painted = untilPainted();
  document.dispatchEvent(new Event('visibilitychange'));
  await painted;
});
