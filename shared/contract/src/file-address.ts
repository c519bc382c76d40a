/** File types that programs request. Excludes types that people type (`/home.html`, `/index.php`). */
const fileName =
  /\.(avif|bak|css|csv|gif|gz|ico|jpe?g|js|json|map|mjs|mp4|pdf|png|sql|svg|tar|txt|wasm|webmanifest|webm|webp|woff2?|xml|ya?ml|zip)$/i;

/**
 * Whether an unknown path is a file request. Unknown paths redirect to /home, except file requests, which get
 * 404, so that no program gets a page instead of an image. Shared by edge and shell.
 */
export function asksForFile(path: string): boolean {
  return fileName.test(path) || /^\/assets\/|\/\.[^./]/.test(path);
}
