import { createContext } from 'react';

/** One thing described in the vocabulary of https://schema.org, as JSON-LD without its `@context`. */
export interface StructuredData {
  '@type': string;
  [property: string]: unknown;
}

/**
 * Takes what a page says about itself while it is rendered ahead of time. Null in the browser: search engines read it in
 * the document, and a `<script>` element that React made there would violate Trusted Types.
 */
export const StructuredDataContext = createContext<((data: readonly StructuredData[]) => void) | null>(null);
