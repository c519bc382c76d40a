import { containerName } from './remote-container.ts';

test.each([
  ['mfe-blocks', 'mfe_blocks'],
  ['mfe-long-name-2', 'mfe_long_name_2'],
])('the container of %s is %s', (app, name) => {
  expect(containerName(app)).toBe(name);
});
