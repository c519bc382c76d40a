/**
 * The oldest supported browsers, as browserslist queries. Passed explicitly to every tool that would
 * otherwise search for a browserslist (in the environment or a parent folder): a version id must depend on
 * sources only.
 */
export const SUPPORTED_BROWSERS = ['chrome 126', 'edge 126', 'firefox 128', 'safari 17.5', 'ios_saf 17.5'];
