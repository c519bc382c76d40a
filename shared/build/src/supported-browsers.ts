/**
 * The oldest browsers that the site supports, as browserslist queries. Every tool that would otherwise look for a browserslist
 * (in the environment, or in a folder above the checkout) gets this list: a version id depends on sources only.
 */
export const SUPPORTED_BROWSERS = ['chrome 126', 'edge 126', 'firefox 128', 'safari 17.5', 'ios_saf 17.5'];
