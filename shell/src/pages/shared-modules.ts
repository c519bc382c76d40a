import react from 'react';
import jsxRuntime from 'react/jsx-runtime';
import * as kit from '@site/kit';

/** The versions of the packages behind, by name; the build writes them. */
declare const SHARED_VERSIONS: Record<string, string>;

/** What the shell gives to every remote, in the form in which webpack's containers take it: module → version → getter. */
export function createShareScope() {
  const give = (request: string, packageName: string, module: unknown) => ({
    [request]: {
      [SHARED_VERSIONS[packageName] ?? '0']: { get: () => () => module, loaded: 1, from: 'shell' },
    },
  });
  return {
    ...give('react', 'react', react),
    ...give('react/jsx-runtime', 'react', jsxRuntime),
    ...give('@site/kit', '@site/kit', kit),
  };
}
