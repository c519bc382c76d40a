/** A browser engine under test. */
export type EngineName = 'Chromium' | 'Firefox' | 'WebKit';

/** A visitor's browser settings. */
export interface Profile {
  /** In CSS pixels. Default: 1280 × 900. */
  width?: number;
  height?: number;
  dark?: boolean;
  javaScript?: boolean;
  cookies?: boolean;
  storage?: boolean;
  /** SHA-256 of the only trusted public key, in Base64. Chromium caches nothing with an insecure certificate. */
  keyHash?: string;
}

/** Keys by name; a modifier is held for the key after it. */
export type Key =
  | 'Enter'
  | 'Tab'
  | 'Escape'
  | 'ArrowDown'
  | 'ArrowUp'
  | 'ArrowLeft'
  | 'ArrowRight'
  | 'Control+k'
  | 'Control+a';

/** An open page. */
export interface PageHandle {
  /** Runs a function without closure in the page. Arguments and result are JSON. */
  evaluate<Result, Args extends readonly unknown[]>(
    task: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  close(): Promise<void>;
}

/** One tab of a fresh browser. Element methods use the first visible match of a CSS selector. */
export interface Tab extends PageHandle {
  goto(url: string): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  reload(): Promise<void>;
  click(selector: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** PNG of the viewport. */
  screenshot(): Promise<Buffer>;
}

/** An engine that is installed on this machine. */
export interface Engine {
  name: EngineName;
  /** Why it is skipped, or null when it is installed. */
  missing: string | null;
  open(profile?: Profile): Promise<Tab>;
  /** Opens a page in a browser with an HTTP cache. The result of `evaluate` is no promise in WebKit. */
  openWithCache(url: string, keyHash: string): Promise<PageHandle>;
}
