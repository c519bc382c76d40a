import { REFERRAL_PARAMETER } from '@site/contract/referral-parameter';

const storageKey = 'campaign';
/** Values are copied into addresses of another site: what is longer was typed by nobody. */
const MAX_LENGTH = 500;

/** The code of a referral is a UUID: nothing else is given along. */
const CODE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Gives the campaign of the visit (`utm_*` of the address) along to the pages of the application, such as the sign-up, and the code of the
 * invitation that led here. The last campaign and the last invitation that the visitor came by count, until the tab is closed. Links of
 * the site name campaigns, too: such a one counts where the visitor came by none.
 *
 * @param entry the query of the address that the visitor came by; by now the page may have another one.
 * @param application the origin of the application, if there is one.
 */
export function keepCampaign(
  { document, location }: Pick<Window, 'document' | 'location'>,
  entry: string,
  application: string | undefined,
  storage: Pick<Storage, 'getItem' | 'setItem'> | null,
): void {
  let kept = read(storage);
  const notice = (query: string, cameBy: boolean) => {
    const now = newest(query, kept, cameBy);
    if (now === kept) return;
    kept = now;
    try {
      storage?.setItem(storageKey, kept);
    } catch {
      // storage is full or forbidden: it lives as long as the page
    }
  };
  const follow = ({ target }: Event) => {
    // Within the page the address changes without a new document.
    notice(location.search, false);
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== application) return;
    const to = new URL(link.href);
    // It may have been pressed before, under another campaign.
    for (const name of campaignOf(to.search).keys()) to.searchParams.delete(name);
    for (const [name, value] of new URLSearchParams(kept)) to.searchParams.set(name, value);
    link.href = to.href;
  };
  // A link of the site may have been opened in a tab of its own.
  notice(entry, !document.referrer.startsWith(`${location.origin}/`));
  // Before the browser follows it, in this tab or another one.
  document.addEventListener('click', follow, true);
  document.addEventListener('auxclick', follow, true);
}

/** What of a query is given along, and of what was kept before, unless it is replaced. */
function newest(query: string, before: string, cameBy: boolean): string {
  const [here, old] = [campaignOf(query), campaignOf(before)];
  const along = here.size > 0 && (cameBy || old.size === 0) ? here : old;
  const code = codeOf(query) ?? codeOf(before);
  if (code !== null) along.set(REFERRAL_PARAMETER, code);
  return `${along}`;
}

/** Advertisers add parameters of their own, which are not given along and may be long. */
function campaignOf(query: string): URLSearchParams {
  const campaign = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name)),
  );
  return `${campaign}`.length > MAX_LENGTH ? new URLSearchParams() : campaign;
}

function codeOf(query: string): string | null {
  const code = new URLSearchParams(query).get(REFERRAL_PARAMETER);
  return code !== null && CODE.test(code) ? code : null;
}

function read(storage: Pick<Storage, 'getItem'> | null): string {
  try {
    return storage?.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}
