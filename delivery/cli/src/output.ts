/** Where a command writes: results to `out`, everything for the eye only to `err`. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Whether somebody looks at `err`, so that a line may be drawn over. */
  isTerminal: boolean | undefined;
}

/** Rows as aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** `12.3 KB`; thousands, as file systems and budgets count. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** `2026-01-01 12:00:05 UTC` */
export function time(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `mfe-blocks 1.0.0-… → 1.0.0-…` */
export function change({ app, from, to }: { app: string; from: string | null; to: string | null }): string {
  return `${app} ${from ?? 'none'} → ${to ?? 'none'}`;
}
