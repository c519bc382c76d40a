/** The key under which a page's module is exposed: `./src/pages/home-page.tsx` → `./home-page`. Folders are not part of it. */
export function moduleKey(page: string): string {
  return `./${page.slice(page.lastIndexOf('/') + 1).replace(/\.tsx$/, '')}`;
}
