/** The key of a page's exposed module: `./src/pages/home-page.tsx` → `./home-page`. Without folders. */
export function moduleKey(page: string): string {
  return `./${page.slice(page.lastIndexOf('/') + 1).replace(/\.tsx$/, '')}`;
}
