import type { RegistryTransaction } from './tables.ts';

/** The context of a change: all its records share one author and one time. */
export interface ChangeContext {
  transaction: RegistryTransaction;
  /** The author's token name. */
  by: string;
  at: Date;
}
