declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat: 'woff2';
    /** Tags of the OpenType features to keep. Default: all. */
    keepFeatures: string[];
    /** The range of each axis to keep. */
    variationAxes: Record<string, { min: number; max: number }>;
  }
  /** @see https://github.com/papandreou/subset-font#api */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>;
}
