/**
 * Files that the document needs beside scripts and styles. Naming them here makes them part of the build:
 * `inline/…` is put inline into `<head>`, `root/…` answers at the root of the site under its plain name.
 */
import './browser-check.js?inline';
import './theme.js?inline';
import './not-started.js?inline';
import './favicon.svg?root';
