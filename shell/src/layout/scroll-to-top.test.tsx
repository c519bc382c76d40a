import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ScrollToTop } from './scroll-to-top.tsx';

let reducedMotion = false;
const scrollTo = jest.fn();

function scrollBy(y: number) {
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
    window.dispatchEvent(new Event('scroll'));
  });
}

beforeEach(() => {
  reducedMotion = false;
  scrollTo.mockReset();
  Object.assign(window, { scrollTo, matchMedia: () => ({ matches: reducedMotion }) });
  scrollBy(0);
});

const button = () => screen.queryByRole('button', { name: 'Scroll to top' });

test.each([0, 199, 200])('is hidden at %i px', (y) => {
  render(<ScrollToTop />);
  scrollBy(y);
  expect(button()).not.toBeInTheDocument();
});

test('appears above 200 px and hides again', () => {
  render(<ScrollToTop />);
  scrollBy(201);
  expect(button()).toBeVisible();
  scrollBy(200);
  expect(button()).not.toBeInTheDocument();
});

test('is visible immediately on a page restored further down', () => {
  scrollBy(900);
  render(<ScrollToTop />);
  expect(button()).toBeVisible();
});

test('scrolls smoothly to the top and moves the focus to the content', async () => {
  render(
    <>
      <main id="main" tabIndex={-1} />
      <ScrollToTop />
    </>,
  );
  scrollBy(500);
  await userEvent.click(button() as HTMLElement);
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
  expect(screen.getByRole('main')).toHaveFocus();
});

test('jumps with reduced motion', async () => {
  reducedMotion = true;
  render(<ScrollToTop />);
  scrollBy(500);
  await userEvent.click(button() as HTMLElement);
  expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'auto' });
});
