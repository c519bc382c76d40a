export default async function globalTeardown(): Promise<void> {
  await (globalThis as { stopSharedSite?: () => Promise<void> }).stopSharedSite?.();
}
