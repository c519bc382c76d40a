import { permissionProblem } from './permissions.ts';

test.each([
  [['ops'], ['activate:mfe-blocks'], null],
  [['activate:mfe-blocks'], ['activate:mfe-blocks'], null],
  [['read'], ['activate:mfe-blocks'], 'Needs activate:mfe-blocks; your token has read.'],
  [['publish:mfe-blocks'], [['publish:mfe-blocks', 'activate:mfe-blocks']], null],
  [
    ['read'],
    [['publish:a', 'activate:a'], 'ops'],
    'Needs publish:a or activate:a and ops; your token has read.',
  ],
])('a token with %j that needs %j', (scopes, needs, why) => {
  expect(permissionProblem({ scopes }, needs)).toBe(why);
});
