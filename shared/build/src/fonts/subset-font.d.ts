declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat: 'woff2';
    keepFeatures: string[];
    variationAxes: Record<string, { min: number; max: number }>;
  }
  /** @see https://github.com/papandreou/subset-font#api */
  export default function subsetFont(font: Buffer, text: string, options: SubsetOptions): Promise<Buffer>;
}
