import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import type { Writing } from '../database/writing.ts';
import { duringChange } from './blob-protection.ts';
import type { Command } from './command.ts';
import type { Actor } from '../access/actor.ts';
import type { RegistryContext } from './context.ts';
import { onBehalfOf } from './on-behalf-of.ts';

/** The name in the audit log when the registry acts by itself. No token may have it. */
export const GUARD: Actor = { tokenId: GUARD_NAME, name: GUARD_NAME, scopes: ['ops'] };

/** What somebody else did meanwhile, or forbade, is not done. */
export class NoLonger extends Error {
  override readonly name = 'NoLonger';
}

/**
 * Makes a change as a person would, with all its checks, in the guard's name.
 *
 * @param alongside notes in the change's transaction that it is made, so that it is not made twice. It throws `NoLonger` when it was.
 * @param onLateEnd hears when it could not be noted that the change has ended; it is forgotten after a while.
 * @returns whether it was made.
 */
export async function asGuard(
  context: RegistryContext,
  alongside: (writing: Writing) => Promise<void>,
  change: (command: Command) => Promise<unknown>,
  onLateEnd: (error: unknown) => void,
): Promise<boolean> {
  const command: Command = {
    context: onBehalfOf(context, GUARD),
    actor: GUARD,
    // No key: what must not happen twice is noted alongside.
    key: null,
    requestDigest: '',
    dryRun: false,
    alongside,
  };
  try {
    await duringChange(context, 'the guard', () => change(command), onLateEnd);
    return true;
  } catch (error) {
    if (error instanceof NoLonger) return false;
    throw error;
  }
}
