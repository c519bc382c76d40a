/** By this long after parsing, a frame has shown the whole document. */
const PAINTED_AFTER_MS = 100;

/**
 * Waits for the frame that shows the whole document: what runs before it keeps the visitor waiting for something to see, and a page that
 * is seen later answers no earlier. On a slow line the scripts come long after that frame, and nothing waits.
 */
export function untilPainted(): Promise<void> {
  return new Promise((resolve) => {
    // No frame comes in a tab that nobody sees.
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
