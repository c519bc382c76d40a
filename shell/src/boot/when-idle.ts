/** Runs `task` when the browser is idle, after two seconds at the latest. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in self) requestIdleCallback(task, { timeout: 2_000 });
  else setTimeout(task, 200); // Safari before 18.4 has no idle callback
}
