import { confirmRestored } from './confirm-restored.ts';

function restore({ persisted = true, isRevoked = false } = {}) {
  let resolve: (answer: boolean) => void = () => undefined;
  const asked = new Promise<boolean>((answered) => (resolve = answered));
  const watch = { returned: jest.fn(), isRevoked: () => asked };
  const reload = jest.fn();
  const page = Object.assign(new EventTarget(), { document });
  confirmRestored(page as unknown as Window, watch, reload);
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  return {
    watch,
    reload,
    async answer() {
      resolve(isRevoked);
      await asked;
    },
  };
}
afterEach(() => void (document.body.inert = false));

test('a restored page accepts no input until its release is confirmed, and keeps the focus', async () => {
  document.body.innerHTML = '<input>';
  document.querySelector('input')?.focus();
  const page = restore();
  expect(document.body.inert).toBe(true);
  expect(page.watch.returned).toHaveBeenCalledTimes(1);
  await page.answer();
  expect([document.body.inert, page.reload.mock.calls]).toEqual([false, []]);
  expect(document.activeElement?.tagName).toBe('INPUT');
});

test('a restored page of a revoked release reloads, without accepting input before', async () => {
  const page = restore({ isRevoked: true });
  await page.answer();
  expect([document.body.inert, page.reload.mock.calls]).toEqual([true, [[]]]);
});

test('a loaded page is not confirmed', () => {
  const page = restore({ persisted: false });
  expect(document.body.inert).toBeFalsy();
  expect(page.watch.returned).not.toHaveBeenCalled();
});
