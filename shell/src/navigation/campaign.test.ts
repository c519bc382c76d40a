import { keepCampaign } from './campaign.ts';

const application = 'https://app.example.com';

/** A document of its own, with the two links, at this address. */
function visit(search: string, storage: Storage | null = null, referrer = '') {
  const page = document.implementation.createHTMLDocument();
  Object.defineProperty(page, 'referrer', { value: referrer });
  page.body.innerHTML = `<a id="sign-up" href="${application}/auth/register?plan=startups"><b>Sign up</b></a>
    <a id="elsewhere" href="https://elsewhere.example.com/">Elsewhere</a>`;
  const location = { search, origin: 'https://site.example.com' } as Location;
  keepCampaign({ document: page, location }, search, application, storage);
  return {
    location,
    /** Where a link leads once it is pressed. */
    press(id: string, kind = 'click') {
      const link = page.getElementById(id) as HTMLAnchorElement;
      (link.firstElementChild ?? link).dispatchEvent(new Event(kind, { bubbles: true }));
      return link.href;
    },
  };
}

beforeEach(() => sessionStorage.clear());

test.each(['click', 'auxclick'])(
  'a %s on the sign-up takes the campaign along, and the plan stays',
  (kind) => {
    const { press } = visit('?utm_source=letter&utm_campaign=may&filter=all');
    expect(press('sign-up', kind)).toBe(
      `${application}/auth/register?plan=startups&utm_source=letter&utm_campaign=may`,
    );
  },
);

test('nobody else is told', () => {
  expect(visit('?utm_source=letter').press('elsewhere')).toBe('https://elsewhere.example.com/');
});

test('without a campaign an address stays as it is', () => {
  expect(visit('?filter=all').press('sign-up')).toBe(`${application}/auth/register?plan=startups`);
});

test('the last campaign that the visitor came by counts, and is not mixed with the one before', () => {
  visit('?utm_source=letter&utm_term=blocks', sessionStorage);
  const { press } = visit('?utm_source=fair', sessionStorage, 'https://fair.example.com/');
  expect(press('sign-up')).toBe(`${application}/auth/register?plan=startups&utm_source=fair`);
});

test('a campaign of the site itself counts where the visitor came by none', () => {
  const { location, press } = visit('', sessionStorage);
  location.search = '?utm_source=home';
  expect(press('elsewhere')).toBe('https://elsewhere.example.com/');
  location.search = '';
  expect(press('sign-up')).toBe(`${application}/auth/register?plan=startups&utm_source=home`);
});

test('a campaign of the site itself takes no other one away, in this tab or in a new one', () => {
  const { location, press } = visit('?utm_source=letter', sessionStorage);
  location.search = '?utm_source=home';
  expect(press('sign-up')).toContain('utm_source=letter');
  const opened = visit('?utm_source=home', sessionStorage, 'https://site.example.com/home');
  expect(opened.press('sign-up')).toContain('utm_source=letter');
});

test('what the visitor came by counts, also when the page has changed since', () => {
  const { location, press } = visit('?utm_source=letter');
  location.search = '';
  expect(press('sign-up')).toContain('utm_source=letter');
});

test('survives a reload', () => {
  visit('?utm_source=letter', sessionStorage);
  expect(visit('', sessionStorage).press('sign-up')).toContain('utm_source=letter');
});

test.each([
  ['too long a campaign', `?utm_source=${'x'.repeat(600)}`],
  ['names that are no campaign', '?utm_=a&utm_SOURCE=b&xutm_source=c&utm_source[]=d'],
])('passes over %s', (_, search) => {
  expect(visit(search).press('sign-up')).toBe(`${application}/auth/register?plan=startups`);
});

test('lives as long as the page where the browser forbids storage', () => {
  const forbidden = {
    getItem() {
      throw new DOMException('Access is denied.', 'SecurityError');
    },
    setItem() {
      throw new DOMException('Access is denied.', 'SecurityError');
    },
  } as unknown as Storage;
  expect(visit('?utm_source=letter', forbidden).press('sign-up')).toContain('utm_source=letter');
});

const code = '8b3e7d91-4c6f-4a25-b0d8-7e1f3a9c5d24';
const other = '1f6a2c58-93d4-4e0b-8a71-5c2e9b7d4f10';
const register = `${application}/auth/register?plan=startups`;

test('the code of an invitation goes along to the sign-up, beside the campaign', () => {
  expect(visit(`?referral=${code}`).press('sign-up')).toBe(`${register}&referral=${code}`);
  expect(visit(`?referral=${code}&utm_source=mail`).press('sign-up')).toBe(
    `${register}&utm_source=mail&referral=${code}`,
  );
});

test('a later campaign, or a reload, does not take the code away; a later invitation does', () => {
  const { location, press } = visit(`?referral=${code}&utm_source=mail`, sessionStorage);
  location.search = '?utm_source=home&utm_medium=cta';
  press('elsewhere');
  location.search = '';
  expect(press('sign-up')).toBe(`${register}&utm_source=mail&referral=${code}`);
  expect(visit('?utm_source=letter', sessionStorage).press('sign-up')).toBe(
    `${register}&utm_source=letter&referral=${code}`,
  );
  expect(visit(`?referral=${other}`, sessionStorage).press('sign-up')).toBe(
    `${register}&utm_source=letter&referral=${other}`,
  );
});

test('what an advertiser adds takes neither campaign nor code away, however long it is', () => {
  expect(visit(`?utm_source=mail&referral=${code}&gclid=${'x'.repeat(600)}`).press('sign-up')).toBe(
    `${register}&utm_source=mail&referral=${code}`,
  );
  expect(visit(`?referral=${code}&utm_source=${'x'.repeat(600)}`).press('sign-up')).toBe(
    `${register}&referral=${code}`,
  );
});

test.each([
  ['what is not a code', '?referral=javascript:alert(1)'],
  ['a code with more behind it', `?referral=${code}x`],
])('passes over %s', (_, search) => {
  expect(visit(search).press('sign-up')).toBe(register);
  sessionStorage.setItem('campaign', search);
  expect(visit('', sessionStorage).press('sign-up')).not.toMatch(/javascript|x&|5d24x/);
});
