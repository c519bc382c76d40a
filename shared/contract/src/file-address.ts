/** Kinds of files that machines ask for. What people type (`/home.html`, `/index.php`) is not among them. */
const fileName =
  /\.(avif|bak|css|csv|gif|gz|ico|jpe?g|js|json|map|mjs|mp4|pdf|png|sql|svg|tar|txt|wasm|webmanifest|webm|webp|woff2?|xml|ya?ml|zip)$/i;

/**
 * Whether a path that nobody owns asks for a file. The specification leads every unknown path to /home; a file that is
 * not there is the one exception, so that no machine gets a page for an image: it is "not found". Edge and shell go by
 * this one rule.
 */
export function asksForFile(path: string): boolean {
  return fileName.test(path) || /^\/assets\/|\/\.[^./]/.test(path);
}
