/** Runs `task` when the browser has nothing more urgent to do, at the latest after two seconds. */
export function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in self) requestIdleCallback(task, { timeout: 2_000 });
  else setTimeout(task, 200); // Safari before 18.4 has no idle callback
}
