import react from 'react';
import jsxRuntime from 'react/jsx-runtime';
import * as kit from '@site/kit';

declare const SHARED_VERSIONS: Record<string, string>;

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
