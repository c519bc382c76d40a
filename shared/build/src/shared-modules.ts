/**
 * Modules that the shell provides to remotes at run time. Remotes' builds exclude them, in the browser bundle
 * (`import: false`) and in the server bundle (externals), so that a page has exactly one React and one kit.
 */
export const sharedModules = [
  { request: 'react', package: 'react' },
  { request: 'react/jsx-runtime', package: 'react' },
  { request: '@site/kit', package: '@site/kit' },
] as const;

/**
 * Packages that shell and remotes each bundle but that must be compatible: the contract defines what a remote
 * may declare, and components of `@site/ui` use the styles that the shell loads for every page.
 */
export const agreedPackages = ['@site/contract', '@site/ui'] as const;
