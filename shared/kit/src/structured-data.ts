import { createContext } from 'react';

/** An item of https://schema.org as JSON-LD without its `@context`. */
export interface StructuredData {
  '@type': string;
  [property: string]: unknown;
}

/**
 * Collects structured data during prerendering. Null in the browser: search engines read the document, and a
 * `<script>` element created by React would violate Trusted Types.
 */
export const StructuredDataContext = createContext<((data: readonly StructuredData[]) => void) | null>(null);
