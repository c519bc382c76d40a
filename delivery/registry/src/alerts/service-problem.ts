export type ServiceProblem = (base: string) => Promise<string | null>;

const WITHIN_MS = 5_000;

/** A proxy may hide `/readyz`, so only 5xx responses and connection errors are problems. */
export const serviceProblem: ServiceProblem = async (base) => {
  try {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const response = await fetch(new URL('readyz', base), { signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status >= 500 ? `responds with ${response.status}` : null;
  } catch {
    return 'does not respond';
  }
};
