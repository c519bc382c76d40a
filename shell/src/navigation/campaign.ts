const storageKey = 'campaign';
/** Values are copied into addresses of another site: what is longer was typed by nobody. */
const MAX_LENGTH = 500;

/**
 * Gives the campaign of the visit (`utm_*` of the address) along to the pages of the application, such as the sign-up. The
 * last campaign that the visitor came by counts, until the tab is closed.
 *
 * @param entry the query of the address that the visitor came by; by now the page may have another one.
 * @param application the origin of the application.
 */
export function keepCampaign(
  { document, location }: Pick<Window, 'document' | 'location'>,
  entry: string,
  application: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
): void {
  let campaign = campaignOf(read(storage));
  const notice = (query: string) => {
    const here = campaignOf(query);
    if (here.size === 0 || `${here}` === `${campaign}`) return;
    campaign = here;
    try {
      storage?.setItem(storageKey, `${here}`);
    } catch {
      // storage is full or forbidden: it lives as long as the page
    }
  };
  const follow = ({ target }: Event) => {
    // Within the page the address changes without a new document.
    notice(location.search);
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin !== application) return;
    const to = new URL(link.href);
    for (const [name, value] of campaign) to.searchParams.set(name, value);
    link.href = to.href;
  };
  notice(entry);
  // Before the browser follows it, in this tab or another one.
  document.addEventListener('click', follow, true);
  document.addEventListener('auxclick', follow, true);
}

function campaignOf(query: string): URLSearchParams {
  if (query.length > MAX_LENGTH) return new URLSearchParams();
  return new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name)),
  );
}

function read(storage: Pick<Storage, 'getItem'> | null): string {
  try {
    return storage?.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}
