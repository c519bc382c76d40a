import type { Actor, RegistryContext } from './context.ts';

/**
 * The context for what one token asks for. What is rendered for it waits in its own turn, so that it holds up nobody else,
 * and counts as brought by it; ops render what teams have made, so theirs is not counted.
 */
export function onBehalfOf(
  context: RegistryContext,
  { tokenId, scopes }: Pick<Actor, 'tokenId' | 'scopes'>,
): RegistryContext {
  const { composer, uploads } = context;
  return {
    ...context,
    composer: {
      async compose(request) {
        const pages = await composer.compose({ ...request, turn: tokenId });
        const bytes = pages.reduce(
          (sum, { page }) => sum + Buffer.byteLength(page.head) + Buffer.byteLength(page.html),
          0,
        );
        // Before any of it is stored.
        if (!scopes.includes('ops')) uploads.spend(tokenId, bytes);
        return pages;
      },
    },
  };
}
