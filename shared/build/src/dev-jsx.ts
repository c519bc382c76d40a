/**
 * `react/jsx-dev-runtime` by way of `react/jsx-runtime`, which every shell shares: in a dev preview also one that visitors get.
 */
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

export { Fragment };

/** Called by compiled JSX. `hasStaticChildren`: written one after the other, so that they need no keys. */
export function jsxDEV(
  type: Parameters<typeof jsx>[0],
  props: unknown,
  key: Parameters<typeof jsx>[2],
  hasStaticChildren: boolean,
): ReturnType<typeof jsx> {
  return (hasStaticChildren ? jsxs : jsx)(type, props, key);
}
