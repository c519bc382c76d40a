import { accountOf, type Actor } from '../access/actor.ts';
import type { RegistryContext } from './context.ts';

/**
 * The context for what one token asks for. What is rendered for it waits in its own turn, so that it holds up nobody else,
 * and counts as brought by it; ops render what teams have made, so theirs is not counted.
 */
export function onBehalfOf(
  context: RegistryContext,
  actor: Pick<Actor, 'tokenId' | 'pipeline' | 'scopes'>,
): RegistryContext {
  const { composer, uploads } = context;
  const account = accountOf(actor);
  return {
    ...context,
    composer: {
      async compose(request) {
        const pages = await composer.compose({ ...request, turn: account });
        const bytes = pages.reduce(
          (sum, { page }) => sum + Buffer.byteLength(page.head) + Buffer.byteLength(page.html),
          0,
        );
        // Before any of it is stored.
        if (!actor.scopes.includes('ops')) uploads.spend(account, bytes);
        return pages;
      },
    },
  };
}
