import type { BrowserName } from '@site/contract/signals/fault';

/** The first match wins: most browsers also name the browsers they imitate. */
const patterns: readonly (readonly [RegExp, BrowserName])[] = [
  // On iPads, browsers may pretend to run on a Mac.
  [/\b(?:iPhone|iPad|iPod)\b|\b(?:CriOS|FxiOS|EdgiOS|OPT)\//, 'iOS'],
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
];

export function browserName(userAgent: unknown): BrowserName {
  const text = typeof userAgent === 'string' ? userAgent : '';
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
