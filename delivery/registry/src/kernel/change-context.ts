import type { RegistryTransaction } from './tables.ts';

/** All records of a change share one author and one time. */
export interface ChangeContext {
  transaction: RegistryTransaction;
  by: string;
  at: Date;
}
