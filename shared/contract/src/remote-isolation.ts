import { createHash } from 'node:crypto';
import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import selectorParser, { type Node, type Selector } from 'postcss-selector-parser';
import { containerName } from './remote-container.ts';

/**
 * What keeps the pages of one remote apart from the rest of the document. For builds and servers only. The build,
 * `pack` and publishing apply the same rules.
 */

export interface SiteNames {
  properties: ReadonlySet<string>;
  fonts: ReadonlySet<string>;
}

/** The cascade layers of the shell. `@site/ui` also uses `components` within remotes. */
const SITE_LAYERS = ['tokens', 'reset', 'base'];
const SHARED_LAYER = 'components';

/** At-rules that apply to the whole document, whatever their position. */
const DOCUMENT_RULES = new Set(['import', 'namespace', 'page', 'view-transition']);

/** Begins every class name that the build makes for an app. Short, because documents repeat it. */
export function classPrefix(app: string): string {
  const letters = createHash('sha256')
    .update(app)
    .digest('base64')
    .replaceAll(/[^A-Za-z]/g, '');
  return letters.slice(0, 2);
}

function isOwnName(app: string, name: string): boolean {
  const named = [app, containerName(app)].flatMap((own) => [`${own}-`, `${own}_`]);
  return [classPrefix(app), ...named].some((prefix) => name.startsWith(prefix));
}

/** Reads the custom properties of the root element and the font families. */
export function siteNames(stylesheets: readonly string[]): SiteNames {
  const properties = new Set<string>();
  const fonts = new Set<string>();
  for (const css of stylesheets)
    postcss.parse(css).walkDecls(/^(--|font-family$)/, (declaration) => {
      const { parent, prop, value } = declaration;
      if (parent?.type === 'rule' && prop.startsWith('--') && /:root|\bhtml\b/.test(parent.selector))
        properties.add(prop);
      if (isFontFace(declaration) && prop === 'font-family') fonts.add(fontFamily(value));
    });
  return { properties, fonts };
}

const isFontFace = ({ parent }: Declaration) =>
  parent?.type === 'atrule' && (parent as AtRule).name === 'font-face';
const fontFamily = (value: string) => value.replaceAll(/^["']|["']$/g, '').toLowerCase();

export function styleProblems(
  app: string,
  css: string,
  { properties, fonts }: SiteNames,
  ofSite: boolean,
): string[] {
  let root;
  try {
    root = postcss.parse(css);
  } catch (error) {
    return [`is not a stylesheet: ${(error as Error).message}.`];
  }
  const problems: string[] = [];
  const layers = new Set(ofSite ? SITE_LAYERS : [...SITE_LAYERS, SHARED_LAYER]);
  root.walk((node: ChildNode) => {
    const ambiguous = ambiguousText(node);
    if (ambiguous !== null)
      problems.push(`"${ambiguous}" has an escape or a line break that browsers may read in another way.`);
    if (node.type === 'rule' && !isKeyframes(node.parent))
      problems.push(
        ...foreignSelectors(app, node).map(
          (selector) => `"${selector}" has no class of ${app}, so it styles the pages of others.`,
        ),
      );
    if (node.type === 'atrule') {
      const { name, params } = node;
      if (isKeyframes(node) && !isOwnName(app, params.trim()))
        problems.push(`"@keyframes ${params}" is not a name of ${app}, so it replaces animations of others.`);
      if (name === 'layer' && params.split(',').some((layer) => layers.has(layer.trim().split('.')[0] ?? '')))
        problems.push(`"@layer ${params}" is a layer of the site.`);
      if (DOCUMENT_RULES.has(name)) problems.push(`"@${name}" applies to the pages of others.`);
      if (name === 'property' && properties.has(params.trim()))
        problems.push(`"${params}" is a custom property of the site.`);
    }
    if (node.type === 'decl') {
      if (properties.has(node.prop)) problems.push(`"${node.prop}" is a custom property of the site.`);
      if (isFontFace(node) && node.prop === 'font-family' && fonts.has(fontFamily(node.value)))
        problems.push(`"@font-face" replaces the site's font ${node.value}.`);
    }
  });
  return [...new Set(problems)];
}

/** Escapes in names, and line breaks in strings, which end a string in browsers. Escapes in selectors are read. */
function ambiguousText(node: ChildNode): string | null {
  if (node.type === 'comment') return null;
  const [name, text] =
    node.type === 'decl'
      ? [node.prop, node.value]
      : node.type === 'atrule'
        ? [node.name + node.params, node.params]
        : ['', node.selector];
  const strings = text.match(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g) ?? [];
  if (name.includes('\\') || strings.some((each) => /(?<!\\)[\n\r\f]/.test(each)))
    return (name || text).slice(0, 60);
  return null;
}

function isKeyframes(node: unknown): boolean {
  const { type, name } = (node ?? {}) as Partial<AtRule>;
  return type === 'atrule' && /(^|-)keyframes$/.test(name ?? '');
}

function foreignSelectors(app: string, rule: Rule): string[] {
  const isNested = hasRuleAbove(rule);
  let selectors;
  try {
    selectors = selectorParser().astSync(rule.selector).nodes;
  } catch {
    return [rule.selector];
  }
  return selectors
    .filter((selector) => {
      if (isOwnSelector(app, selector, isNested)) return false;
      // A nested selector without "&" begins with it; an outer selector is reported itself.
      return !(isNested && !String(selector).includes('&'));
    })
    .map((selector) => String(selector).trim());
}

/** Also through at-rules. Without one, "&" is the root or the whole scope. */
function hasRuleAbove({ parent }: ChildNode): boolean {
  if (parent?.type !== 'atrule') return parent?.type === 'rule';
  const rule = parent as AtRule;
  return rule.name !== 'scope' && hasRuleAbove(rule);
}

/** Whether it matches only elements with, or below, or next to an element with, a class of the app. */
function isOwnSelector(app: string, { nodes }: Selector, isNested: boolean): boolean {
  return nodes.some((node: Node) => {
    if (node.type === 'class') return isOwnName(app, node.value);
    if (node.type === 'nesting') return isNested;
    // All alternatives are needed. `:not()` and `:has()` say nothing about the element's own place.
    if (node.type === 'pseudo' && /^:(is|where|matches|-webkit-any)$/.test(node.value))
      return node.nodes.length > 0 && node.nodes.every((each) => isOwnSelector(app, each, isNested));
    return false;
  });
}

/**
 * Why a remote's script would load the chunks of another container: chunk lists are global, and scripts are found
 * by the unique name.
 */
export function scriptProblems(app: string, script: string): string[] {
  const container = containerName(app);
  const lists = [
    ...script.matchAll(
      /\b(?:self|window|globalThis|global|this)(?:\.|\[["'`])([\w$-]+)(?:["'`]\])?\s*=\s*(?:self|window|globalThis|global|this)(?:\.|\[["'`])\1(?:["'`]\])?\s*\|\|\s*\[\]/g,
    ),
  ].map(([, name = '']) => name);
  const foreign = [...new Set(lists)].filter(
    (name) => !['webpackChunk', 'rspackChunk'].some((start) => name === start + container),
  );
  const isNamed = [app, container].some((name) =>
    ['"', "'", '`'].some((quote) => script.includes(`${quote}${name}:${quote}`)),
  );
  return [
    ...foreign.map(
      (name) =>
        `has the chunk list "${name}", which is not the container's own: write output.uniqueName: ` +
        `"${app}", and remove output.chunkLoadingGlobal.`,
    ),
    ...(/["'`]data-(webpack|rspack)["'`]/.test(script) && !isNamed
      ? [`does not have the unique name of its container: write output.uniqueName: "${app}".`]
      : []),
  ];
}
