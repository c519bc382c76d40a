/**
 * Waits for the frame that shows the whole document: what runs before it keeps the visitor waiting for something to see, and a page that
 * is seen later answers no earlier.
 */
export function untilPainted(): Promise<void> {
  return new Promise((resolve) => {
    // No frame comes in a tab that nobody sees.
    if (document.hidden) resolve();
    else {
      requestAnimationFrame(() => setTimeout(resolve));
      document.addEventListener('visibilitychange', () => resolve(), { once: true });
    }
  });
}
