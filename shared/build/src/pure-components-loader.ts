/** The message of a check in react-router, for developers who break its rules. */
const checkMessage =
  /(\b(?:invariant|warning)\d*\(\s*[^`";]*?,\s*(?:\/\/[^\n]*\n\s*)*)(?:`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\])*")(?=\s*\))/g;

/**
 * Lets the minimizer drop unused components of react-router (9 KB of each first view): assignments of
 * `displayName` or `contextType`, React calls that create components, and React base classes look like side
 * effects. Outside of development, its checks lose their messages. A dynamic access to a React function, for
 * old versions, would bundle the whole React namespace.
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
