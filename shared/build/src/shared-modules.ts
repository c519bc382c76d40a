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
