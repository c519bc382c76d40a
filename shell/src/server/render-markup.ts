import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { prerender } from 'react-dom/static';

/**
 * Renders a whole page, and waits for what comes later. It may render it twice.
 *
 * @throws whatever the page throws while rendering.
 */
export async function renderMarkup(page: ReactNode): Promise<string> {
  return renderAtOnce(page) ?? (await renderInTime(page));
}

/** What React leaves where a part is waited for, or has failed. A text has no "<" in its markup. */
const HOLE = '<!--$!-->';

/** Gives the same markup as `renderInTime` in three quarters of its time; null when there is something to wait for, or to tell. */
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
    // The document is one piece: React would send large parts behind it, and a script that puts them into their places.
    progressiveChunkSize: Infinity,
    // An error that a boundary catches would leave a hole in the page: that is a failed render too.
    onError(error) {
      failure ??= { error };
    },
  });
  const markup = await new Response(prelude).text();
  if (failure) throw failure.error;
  return markup;
}
