/** The message of a check in react-router, for developers who break its rules. */
const checkMessage =
  /(\b(?:invariant|warning)\d*\(\s*[^`";]*?,\s*(?:\/\/[^\n]*\n\s*)*)(?:`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*")(?=\s*\))/g;

/**
 * Lets the minimiser drop the components of react-router that nobody uses (9 KB of each first view): a `displayName` or
 * `contextType` that is set outside of them, a call of React that makes them, and a class of React that they extend look like
 * effects. Its checks stay without their messages, but in development. A function of React that it asks for by a name in a variable, for
 * the sake of older ones, would bring an object with all of React's.
 */
export default function pureComponents(this: { mode?: string }, source: string): string {
  return (this.mode === 'production' ? source.replace(checkMessage, '$1""') : source)
    .replace(/\b(React\d*)\[USE_OPTIMISTIC\]/g, '$1.useOptimistic')
    .replace(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replace(
      /^(var (\w+) = class extends React\d*\.Component \{)$([^]*?)^\2\.contextType = (\w+);$/gm,
      '$1 static contextType = $4;$3',
    )
    .replace(/ extends (React\d*)\.Component \{/g, ' extends /*#__PURE__*/ (() => $1.Component)() {')
    .replace(/= (React\d*\.(?:forwardRef|memo|createContext)\()/g, '= /*#__PURE__*/ $1');
}
