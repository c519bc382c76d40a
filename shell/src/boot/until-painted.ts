/** By this time after parsing, a frame has shown the whole document. */
const PAINTED_AFTER_MS = 100;

/**
 * Waits for the frame that shows the whole document. Earlier work would delay the first paint without making the page
 * interactive any sooner. On a slow connection the scripts arrive long after that frame, so nothing waits.
 */
export function untilPainted(): Promise<void> {
  return new Promise((resolve) => {
    // Hidden tabs get no frames.
    if (document.hidden || wasPainted()) resolve();
    else {
      requestAnimationFrame(() => setTimeout(resolve));
      document.addEventListener('visibilitychange', () => resolve(), { once: true });
    }
  });
}

function wasPainted(): boolean {
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  const [opened] = performance.getEntriesByType('navigation');
  return (
    painted !== undefined &&
    opened !== undefined &&
    performance.now() - Math.max(painted.startTime, opened.domInteractive) > PAINTED_AFTER_MS
  );
}
