/** `rows` has one row more than the page. @returns the page, and its last row if more follow. */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}
