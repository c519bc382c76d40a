/** What keeps a process from starting and is not a defect: its message alone is for the person who started it. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
