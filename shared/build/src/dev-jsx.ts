/**
 * `react/jsx-dev-runtime` implemented with `react/jsx-runtime`, which every shell shares, including
 * production shells in dev previews.
 */
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';

export { Fragment };

/** Called by compiled JSX. `hasStaticChildren`: listed children, which need no keys. */
export function jsxDEV(
  type: Parameters<typeof jsx>[0],
  props: unknown,
  key: Parameters<typeof jsx>[2],
  hasStaticChildren: boolean,
): ReturnType<typeof jsx> {
  return (hasStaticChildren ? jsxs : jsx)(type, props, key);
}
