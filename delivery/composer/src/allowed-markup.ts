/**
 * Allowlist for rendered pages. New HTML features stay blocked until someone adds them here. Excluded: anything that
 * runs, frames, loads from another origin, or applies to the whole document.
 */
const words = (text: string) => new Set(text.split(' ').filter((word) => word !== ''));

const everywhere = words('id class title lang dir hidden tabindex role translate inert popover');
const named = /^(aria|data)-[a-z0-9-]+$/;

const withoutAttributes =
  'abbr address article aside b bdi br caption cite code dd dfn div dl dt em figcaption figure footer ' +
  'h1 h2 h3 h4 h5 h6 header hgroup hr i kbd main mark nav p picture pre rp rt ruby s samp search ' +
  'section small span strong sub summary sup table tbody tfoot thead tr u ul var wbr';

const html = new Map<string, Set<string>>([
  ...[...words(withoutAttributes)].map((name) => [name, words('')] as const),
  ['a', words('href hreflang target rel type download')],
  ['bdo', words('')],
  ['blockquote', words('cite')],
  ['button', words('type name value disabled form command commandfor popovertarget popovertargetaction')],
  ['col', words('span')],
  ['colgroup', words('span')],
  ['data', words('value')],
  ['datalist', words('')],
  ['del', words('cite datetime')],
  ['details', words('open name')],
  ['dialog', words('open closedby')],
  ['fieldset', words('disabled form name')],
  ['form', words('action method enctype novalidate autocomplete target rel accept-charset')],
  ['img', words('src srcset sizes alt width height loading decoding fetchpriority')],
  [
    'input',
    words(
      'type name value checked disabled form list autocomplete autocapitalize spellcheck placeholder ' +
        'required readonly pattern minlength maxlength min max step size multiple accept inputmode enterkeyhint',
    ),
  ],
  ['ins', words('cite datetime')],
  ['label', words('for')],
  ['legend', words('')],
  ['li', words('value')],
  ['meter', words('value min max low high optimum')],
  ['ol', words('start reversed type')],
  ['optgroup', words('label disabled')],
  ['option', words('value label selected disabled')],
  ['output', words('for form name')],
  ['progress', words('value max')],
  ['q', words('cite')],
  ['script', words('type')],
  ['select', words('name required disabled form multiple size autocomplete')],
  ['source', words('srcset sizes media type width height')],
  ['td', words('colspan rowspan headers')],
  [
    'textarea',
    words(
      'name rows cols required disabled readonly form placeholder minlength maxlength wrap ' +
        'autocomplete autocapitalize spellcheck inputmode enterkeyhint',
    ),
  ],
  ['th', words('colspan rowspan headers scope abbr')],
  ['time', words('datetime')],
]);

const head = new Map<string, Set<string>>([
  ['title', words('')],
  ['meta', words('name property content')],
  ['link', words('rel href hreflang type as imagesrcset imagesizes fetchpriority crossorigin')],
  ['script', words('type')],
]);

const drawings = words(
  'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc linearGradient ' +
    'radialGradient stop clipPath mask pattern marker',
);
const drawingAttributes = words(
  'viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points transform href offset ' +
    'pathLength rotate textLength lengthAdjust gradientUnits gradientTransform spreadMethod patternUnits ' +
    'patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerUnits ' +
    'markerWidth markerHeight refX refY orient xmlns focusable fill fill-opacity fill-rule ' +
    'stroke stroke-width stroke-opacity stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color clip-path clip-rule mask ' +
    'marker-start marker-mid marker-end text-anchor dominant-baseline alignment-baseline baseline-shift font-family ' +
    'font-size font-style font-weight letter-spacing word-spacing paint-order shape-rendering ' +
    'text-rendering stop-color stop-opacity vector-effect visibility display overflow',
);

export type PagePart = 'head' | 'body' | 'drawing';

export function allowedAttributes(part: PagePart, element: string): ReadonlySet<string> | undefined {
  if (part === 'drawing') return drawings.has(element) ? drawingAttributes : undefined;
  return (part === 'head' ? head : html).get(element);
}

export function isCommonAttribute(name: string): boolean {
  return everywhere.has(name) || named.test(name);
}

export const textOnly = words('title desc option textarea script');
export const empty = words('br col hr img input link meta source wbr');

const linkSchemes = words('http: https: mailto: tel: sms:');
const base = 'https://site.invalid';

export function valueProblem(part: PagePart, element: string, name: string, value: string): string | null {
  if (part === 'drawing') return drawingProblem(name, value);
  switch (name) {
    case 'href':
      // `Link` from the kit is for the site's own pages; given another site's address, it renders this.
      if (/^\/[a-z]+:/i.test(value))
        return 'takes an address elsewhere for a page of the site: write it as "href"';
      return element === 'link' || linkSchemes.has(urlScheme(value))
        ? null
        : 'links to something that is not a page';
    case 'action':
    case 'cite':
      return ['http:', 'https:'].includes(urlScheme(value)) ? null : 'links to something that is not a page';
    case 'src':
      return isOwn(value) || /^data:image\//.test(value)
        ? null
        : 'loads from another site, which the CSP blocks';
    case 'srcset':
    case 'imagesrcset':
      return value.split(',').every(isOwnCandidate) ? null : 'loads from another site, which the CSP blocks';
    default:
      return null;
  }
}

/** Drawing attributes hold CSS, where a URL can be escaped in many ways. */
function drawingProblem(name: string, value: string): string | null {
  if (value.includes('\\')) return 'has a backslash';
  if (name === 'href') return value.startsWith('#') ? null : 'leads out of the drawing';
  // Fast path: hardly any drawing attribute contains a bracket.
  if (!value.includes('(')) return null;
  return /url\((?!#)|image\(|image-set\(|src\(/i.test(value) ? 'leads out of the drawing' : null;
}

function urlScheme(url: string): string {
  // Fast path for links within the site.
  if (/^(?:#|\/(?![/\\]))/.test(url)) return 'https:';
  return URL.parse(url, base)?.protocol ?? '';
}

function isOwn(url: string): boolean {
  return URL.parse(url, base)?.origin === base;
}

function isOwnCandidate(candidate: string): boolean {
  const [url = '', size = '1x', ...more] = candidate.trim().split(/\s+/);
  return url !== '' && isOwn(url) && /^\d+(\.\d+)?[wx]$/.test(size) && more.length === 0;
}

const metaNames = words('description keywords author robots googlebot');
const metaProperties = /^(og|article|profile|book|product|twitter):[a-z0-9_:]+$/;

/** Other kinds of `<meta>` instruct the browser. */
export function isDescription(attributes: ReadonlyMap<string, string>): boolean {
  const name = attributes.get('name');
  const property = attributes.get('property');
  return (
    attributes.has('content') &&
    (name === undefined || metaNames.has(name) || metaProperties.test(name)) &&
    (property === undefined || metaProperties.test(property)) &&
    (name !== undefined || property !== undefined)
  );
}

const linkRelations = words('canonical alternate author license next prev');

/** A relation of the page, or a preload of an image of this site. Other kinds of `<link>` load or connect. */
export function isRelation(attributes: ReadonlyMap<string, string>): boolean {
  const rel = attributes.get('rel') ?? '';
  const href = attributes.get('href');
  if (linkRelations.has(rel)) return href !== undefined && ['http:', 'https:'].includes(urlScheme(href));
  return rel === 'preload' && attributes.get('as') === 'image' && (href === undefined || isOwn(href));
}
