import { REFERRAL_PARAMETER } from '@site/contract/forms/form-sources';

const storageKey = 'campaign';
/** Values are copied into another site's URLs. Longer values are not real campaigns. */
const MAX_LENGTH = 500;

/** A referral code is a UUID. Other values are dropped. */
const CODE = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Appends the visit's campaign (the URL's `utm_*`) and the referral code to links to the application, such as the
 * sign-up. The last campaign and the last referral code apply until the tab closes. The site's own links have campaigns
 * too, which apply only to visitors who arrived without one.
 *
 * @param entry the query of the visitor's entry URL, because the page's query may have changed.
 * @param application the origin of the application, if any.
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
      // storage is full or denied: the values last as long as the page
    }
  };
  const follow = ({ target }: Event) => {
    // Within the page the URL changes without a new document.
    notice(location.search, false);
    const link = target instanceof Element ? target.closest('a') : null;
    if (!link || link.origin !== application) return;
    const to = new URL(link.href);
    // An earlier click may have added another campaign.
    for (const name of parseCampaign(to.search).keys()) to.searchParams.delete(name);
    for (const [name, value] of new URLSearchParams(kept)) to.searchParams.set(name, value);
    link.href = to.href;
  };
  // A link of the site may have been opened in a new tab.
  notice(entry, !document.referrer.startsWith(`${location.origin}/`));
  // In the capture phase, before the browser follows the link in this tab or another one.
  document.addEventListener('click', follow, true);
  document.addEventListener('auxclick', follow, true);
}

/** The parameters to keep. The site's own links do not replace the campaign of the visitor's entry URL. */
function newest(query: string, before: string, cameBy: boolean): string {
  const [here, old] = [parseCampaign(query), parseCampaign(before)];
  const along = here.size > 0 && (cameBy || old.size === 0) ? here : old;
  const code = parseReferralCode(query) ?? parseReferralCode(before);
  if (code !== null) along.set(REFERRAL_PARAMETER, code);
  return `${along}`;
}

/** Ignores other tracking parameters, which may be long. */
function parseCampaign(query: string): URLSearchParams {
  const campaign = new URLSearchParams(
    [...new URLSearchParams(query)].filter(([name]) => /^utm_[a-z]{1,20}$/.test(name)),
  );
  return `${campaign}`.length > MAX_LENGTH ? new URLSearchParams() : campaign;
}

function parseReferralCode(query: string): string | null {
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
