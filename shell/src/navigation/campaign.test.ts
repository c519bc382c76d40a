import { keepCampaign } from './campaign.ts';

const application = 'https://app.example.com';

/** A separate document at this URL, with the two links. */
function visit(search: string, storage: Storage | null = null, referrer = '') {
  const page = document.implementation.createHTMLDocument();
  Object.defineProperty(page, 'referrer', { value: referrer });
  page.body.innerHTML = `<a id="sign-up" href="${application}/auth/register?plan=startups"><b>Sign up</b></a>
    <a id="elsewhere" href="https://elsewhere.example.com/">Elsewhere</a>`;
  const location = { search, origin: 'https://site.example.com' } as Location;
  keepCampaign({ document: page, location }, search, application, storage);
  return {
    location,
    /** The link's target after a click. */
    press(id: string, kind = 'click') {
      const link = page.getElementById(id) as HTMLAnchorElement;
      (link.firstElementChild ?? link).dispatchEvent(new Event(kind, { bubbles: true }));
      return link.href;
    },
  };
}

beforeEach(() => sessionStorage.clear());

test.each(['click', 'auxclick'])('a %s on the sign-up adds the campaign, and keeps the plan', (kind) => {
  const { press } = visit('?utm_source=letter&utm_campaign=may&filter=all');
  expect(press('sign-up', kind)).toBe(
    `${application}/auth/register?plan=startups&utm_source=letter&utm_campaign=may`,
  );
});

test('other sites do not get the campaign', () => {
  expect(visit('?utm_source=letter').press('elsewhere')).toBe('https://elsewhere.example.com/');
});

test('without a campaign a URL stays unchanged', () => {
  expect(visit('?filter=all').press('sign-up')).toBe(`${application}/auth/register?plan=startups`);
});

test("the visitor's last campaign applies, and is not merged with the previous one", () => {
  visit('?utm_source=letter&utm_term=blocks', sessionStorage);
  const { press } = visit('?utm_source=fair', sessionStorage, 'https://fair.example.com/');
  expect(press('sign-up')).toBe(`${application}/auth/register?plan=startups&utm_source=fair`);
});

test("the site's own campaign applies if the visitor arrived without one", () => {
  const { location, press } = visit('', sessionStorage);
  location.search = '?utm_source=home';
  expect(press('elsewhere')).toBe('https://elsewhere.example.com/');
  location.search = '';
  expect(press('sign-up')).toBe(`${application}/auth/register?plan=startups&utm_source=home`);
});

test("the site's own campaign does not replace another one, in this tab or in a new one", () => {
  const { location, press } = visit('?utm_source=letter', sessionStorage);
  location.search = '?utm_source=home';
  expect(press('sign-up')).toContain('utm_source=letter');
  const opened = visit('?utm_source=home', sessionStorage, 'https://site.example.com/home');
  expect(opened.press('sign-up')).toContain('utm_source=letter');
});

test("the entry URL's campaign applies, even after a page change", () => {
  const { location, press } = visit('?utm_source=letter');
  location.search = '';
  expect(press('sign-up')).toContain('utm_source=letter');
});

test('survives a reload', () => {
  visit('?utm_source=letter', sessionStorage);
  expect(visit('', sessionStorage).press('sign-up')).toContain('utm_source=letter');
});

test.each([
  ['a campaign that is too long', `?utm_source=${'x'.repeat(600)}`],
  ['parameters that are not a campaign', '?utm_=a&utm_SOURCE=b&xutm_source=c&utm_source[]=d'],
])('ignores %s', (_, search) => {
  expect(visit(search).press('sign-up')).toBe(`${application}/auth/register?plan=startups`);
});

test('lasts as long as the page if the browser denies storage', () => {
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

test('the referral code is passed to the sign-up, next to the campaign', () => {
  expect(visit(`?referral=${code}`).press('sign-up')).toBe(`${register}&referral=${code}`);
  expect(visit(`?referral=${code}&utm_source=mail`).press('sign-up')).toBe(
    `${register}&utm_source=mail&referral=${code}`,
  );
});

test('a later campaign, or a reload, keeps the code; a later invitation replaces it', () => {
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

test("an advertiser's parameters of any length do not replace campaign or code", () => {
  expect(visit(`?utm_source=mail&referral=${code}&gclid=${'x'.repeat(600)}`).press('sign-up')).toBe(
    `${register}&utm_source=mail&referral=${code}`,
  );
  expect(visit(`?referral=${code}&utm_source=${'x'.repeat(600)}`).press('sign-up')).toBe(
    `${register}&referral=${code}`,
  );
});

test.each([
  ['an invalid code', '?referral=javascript:alert(1)'],
  ['a code with a suffix', `?referral=${code}x`],
])('ignores %s', (_, search) => {
  expect(visit(search).press('sign-up')).toBe(register);
  sessionStorage.setItem('campaign', search);
  expect(visit('', sessionStorage).press('sign-up')).not.toMatch(/javascript|x&|5d24x/);
});
