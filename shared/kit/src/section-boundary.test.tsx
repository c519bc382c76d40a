import { act, render, screen } from '@testing-library/react';
import { Component, useState, type ReactNode } from 'react';
import { SectionBoundary } from './section-boundary.tsx';
import { SectionFaultContext } from './site-context.ts';

/** Its text node moves when it is translated, and React cannot remove it. */
function Counter() {
  const [count, setCount] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  if (error) throw error;
  return (
    <p>
      <button onClick={() => setCount(count + 1)}>Count</button>
      <button onClick={() => setError(new Error('broken'))}>Throw</button>
      {count % 2 === 0 && 'even'}
    </p>
  );
}

function translate(text: string) {
  const node = [...screen.getByText(text, { exact: false }).childNodes].find(
    (child) => child.nodeType === 3,
  )!;
  const font = document.createElement('font' as string);
  (node as Text).replaceWith(font);
  font.append(node);
}

/** Like the boundary around a page. */
class Above extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <p>The page failed</p> : this.props.children;
  }
}

function open(fallback?: ReactNode) {
  const report = jest.fn();
  render(
    <Above>
      <SectionFaultContext value={report}>
        <SectionBoundary fallback={fallback}>
          <Counter />
        </SectionBoundary>
        <p>The rest</p>
      </SectionFaultContext>
    </Above>,
  );
  return report;
}
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

beforeEach(() => {
  // React logs caught errors.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

test('a section whose text a translator has moved is rendered again and works, and the rest stays', () => {
  const report = open();
  for (let time = 1; time <= 3; time += 1) {
    translate('even');
    press('Count');
    expect(screen.getByText('even', { exact: false })).toBeVisible();
    expect(report).toHaveBeenCalledTimes(time);
  }
  expect(report).toHaveBeenLastCalledWith(expect.objectContaining({ name: 'NotFoundError' }));
  press('Count');
  expect(screen.queryByText('even', { exact: false })).toBeNull();
  expect(screen.getByText('The rest')).toBeVisible();
});

test('another error goes to the boundary above', () => {
  const report = open();
  press('Throw');
  expect(screen.getByText('The page failed')).toBeVisible();
  expect(report).not.toHaveBeenCalled();
});

test('a fallback replaces the section, and the rest stays', () => {
  const report = open(<p>Reload</p>);
  press('Throw');
  expect(screen.getByText('Reload')).toBeVisible();
  expect(screen.getByText('The rest')).toBeVisible();
  expect(report).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken' }));
});

test('a section that always fails is not rendered forever', () => {
  function Failing(): ReactNode {
    throw Object.assign(new Error('gone'), { name: 'NotFoundError' });
  }
  render(
    <Above>
      <SectionFaultContext value={() => undefined}>
        <SectionBoundary>
          <Failing />
        </SectionBoundary>
      </SectionFaultContext>
    </Above>,
  );
  expect(screen.getByText('The page failed')).toBeVisible();
});
