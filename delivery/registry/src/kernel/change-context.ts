import type { RegistryTransaction } from './tables.ts';

/** A change that is being written: everything that it notes has one author and one time. */
export interface ChangeContext {
  transaction: RegistryTransaction;
  /** The name of its author's token. */
  by: string;
  at: Date;
}
