import { render, screen } from '@testing-library/react';
import { BlockGlyph, type BlockName } from './block-glyph.tsx';
import { FinishedScene } from './finished-scene.tsx';
import { HeroScene } from './hero-scene.tsx';
import { StackScene } from './stack-scene.tsx';

const names: BlockName[] = [
  'companies',
  'file-management',
  'forms',
  'auth',
  'geolocation',
  'jarvis',
  'journey',
  'onboarding',
  'products',
  'real-time',
  'rewards',
  'sales',
  'search',
  'university',
  'content',
];

const markup = (name: BlockName) => {
  const { container, unmount } = render(<BlockGlyph name={name} />);
  const { innerHTML } = container;
  unmount();
  return innerHTML;
};

test('each of the fifteen blocks has a drawing of its own', () => {
  expect(new Set(names.map(markup)).size).toBe(15);
});

test.each([
  ['glyphs', () => names.map((name) => <BlockGlyph key={name} name={name} />)],
  ['scenes', () => [<HeroScene key="a" />, <StackScene key="b" />, <FinishedScene key="c" />]],
])('no %s break the content security policy or carry a number that is none', (_what, draw) => {
  const { container } = render(<>{draw()}</>);
  expect(container.querySelector('[style], image, use, a')).toBeNull();
  expect(container.innerHTML).not.toMatch(/NaN|undefined|Infinity/);
});

test('a drawing is decoration until it has a title', () => {
  const { rerender } = render(<BlockGlyph name="auth" />);
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
  rerender(<BlockGlyph name="auth" title="Auth" />);
  expect(screen.getByRole('img', { name: 'Auth' })).toBeInTheDocument();
});
