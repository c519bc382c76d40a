import { actorQueue, type Actor } from './actor.ts';
import type { RegistryContext } from './context.ts';

/**
 * Rendering waits in the team's own queue and counts against its upload allowance, except for ops, who render the
 * teams' pages.
 */
export function delegatedContext(
  context: RegistryContext,
  actor: Pick<Actor, 'tokenId' | 'pipeline' | 'owner' | 'scopes'>,
): RegistryContext {
  const { composer, uploads } = context;
  const queue = actorQueue(actor);
  return {
    ...context,
    composer: {
      async compose(request) {
        const pages = await composer.compose({ ...request, turn: queue });
        const bytes = pages.reduce(
          (sum, { page }) => sum + Buffer.byteLength(page.head) + Buffer.byteLength(page.html),
          0,
        );
        // Count before storing anything.
        if (!actor.scopes.includes('ops')) uploads.spend(queue, bytes);
        return pages;
      },
    },
  };
}
