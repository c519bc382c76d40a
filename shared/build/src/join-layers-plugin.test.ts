import { joinLayers } from './join-layers-plugin.ts';

test.each([
  ['@layer a{b{c:d}}@layer a{e{f:g}}', '@layer a{b{c:d}e{f:g}}'],
  ['@layer a{b{c:d}}@layer a{@media print{e{f:g}}}h{i:j}', '@layer a{b{c:d}@media print{e{f:g}}}h{i:j}'],
  ['@layer a{b{c:"}@layer a{"}}@layer a{e{f:g}}', '@layer a{b{c:"}@layer a{"}e{f:g}}'],
])('consecutive blocks of one layer are joined: %s', (css, joined) => {
  expect(joinLayers(css)).toBe(joined);
});

test.each([
  '@layer a{b{c:d}}@layer e{b{c:f}}@layer a{b{c:g}}',
  '@layer a{b{c:d}}b{c:e}@layer a{b{c:f}}',
  '@layer a,e;@layer a{b{c:d}}@layer a,e;@layer a{b{c:f}}',
  '@layer{b{c:d}}@layer{b{c:e}}',
])('other blocks stay unchanged: %s', (css) => {
  expect(joinLayers(css)).toBe(css);
});
