declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat: 'woff2';
    /** Tags of the OpenType features that are kept. All of them when left out. */
    keepFeatures: string[];
    /** The part of each axis that is kept. */
    variationAxes: Record<string, { min: number; max: number }>;
  }
  /** @see https://github.com/papandreou/subset-font#api */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>;
}
