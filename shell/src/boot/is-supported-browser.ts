/**
 * Whether the browser has what the site's scripts and styles rely on. The two checks are the newest features in use: Set
 * methods (Chrome 122, Firefox 127, Safari 17) and `light-dark()` (Chrome 123, Firefox 120, Safari 17.5).
 */
export function isSupportedBrowser(): boolean {
  return 'union' in Set.prototype && CSS.supports('color', 'light-dark(#000, #fff)');
}
