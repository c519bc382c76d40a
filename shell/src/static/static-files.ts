/**
 * Static files of the document besides scripts and styles. Importing them adds them to the build: `inline/…` is inlined
 * into `<head>`, `root/…` is served at the site's root under its plain name.
 */
import './browser-check.js?inline';
import './anchor.js?inline';
import './theme.js?inline';
import './not-started.js?inline';
import './favicon.svg?root';
