import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import type { ChangeContext } from '../kernel/change-context.ts';
import { duringChange } from '../kernel/blob-protection.ts';
import type { Command } from '../kernel/command.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { delegatedContext } from '../kernel/delegated-context.ts';

/** Actor of the registry's own changes in the audit log. Tokens cannot have this name. */
export const GUARD: Actor = { tokenId: GUARD_NAME, name: GUARD_NAME, scopes: ['ops'] };

/** Another change made this one obsolete or forbade it. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Makes a change as the guard, with all checks of a regular change.
 * @param alongside records it in the change's transaction, and throws `Superseded` if it was made before.
 * @param onLateEnd called if the end of the change could not be recorded; its record then expires.
 * @returns whether it was made.
 */
export async function asGuard(
  context: RegistryContext,
  alongside: (writing: ChangeContext) => Promise<void>,
  change: (command: Command) => Promise<unknown>,
  onLateEnd: (error: unknown) => void,
): Promise<boolean> {
  const command: Command = {
    context: delegatedContext(context, GUARD),
    actor: GUARD,
    // No idempotency key: `alongside` deduplicates.
    key: null,
    requestDigest: '',
    dryRun: false,
    alongside,
  };
  try {
    await duringChange(context, 'the guard', () => change(command), onLateEnd);
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
}
