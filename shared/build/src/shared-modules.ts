/**
 * What the shell gives to every remote at run time. Only the shell carries these modules; a remote's build leaves them
 * out, in the browser bundle (`import: false`) as in the server bundle (externals), so that a page has exactly one
 * React and one kit.
 */
export const sharedModules = [
  { request: 'react', package: 'react' },
  { request: 'react/jsx-runtime', package: 'react' },
  { request: '@site/kit', package: '@site/kit' },
] as const;

/**
 * What shell and remote each bring along, and must yet fit together: the contract says what a remote may declare and its host
 * understands, and components of `@site/ui` are dressed by the styles that the shell loads for every page.
 */
export const agreedPackages = ['@site/contract', '@site/ui'] as const;
