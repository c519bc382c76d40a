/** Whether the browser has `light-dark()` (Chrome 123, Firefox 120, Safari 17.5), the newest feature that the site relies on. */
export function isSupportedBrowser(): boolean {
  return CSS.supports('color', 'light-dark(#000, #fff)');
}
