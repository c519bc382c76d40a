import ts from 'typescript';

export interface Mutation {
  file: string;
  line: number;
  kind: string;
  start: number;
  end: number;
  replacement: string;
  /** The text before and after, on one line. */
  change: string;
}

/** Calls with human-readable arguments that tests should not pin: log lines, metrics' help texts. */
const PROSE_CALLS = /^(console|log|logger)\.|\.(log|logger)\.(debug|info|warn|error|fatal)$|\.describe$/;
const QUERY_CALLS = /^(where|whereRef|having|forUpdate|forShare|skipLocked|distinct|distinctOn|limit)$/;
const OPPOSITES: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '===': '!==',
  '!==': '===',
};
/** Larger numbers are limits or times, where an off-by-one is not an error. */
const LARGEST_COUNT = 64;

export function findMutations(file: string, text: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const add = (kind: string, start: number, end: number, replacement: string) => {
    const oneLine = (part: string) => part.replace(/\s+/g, ' ').slice(0, 120);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const change = `${oneLine(text.slice(start, end))} → ${oneLine(replacement) || '(nothing)'}`;
    found.push({ file, line, kind, start, end, replacement, change });
  };
  const replace = (kind: string, node: ts.Node, replacement: string) =>
    add(kind, node.getStart(source), node.getEnd(), replacement);

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node))
      return;
    if (ts.isCallExpression(node) && PROSE_CALLS.test(node.expression.getText(source))) return;
    mutate(node, source, { replace, add });
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

interface Edits {
  replace: (kind: string, node: ts.Node, replacement: string) => void;
  add: (kind: string, start: number, end: number, replacement: string) => void;
}

function mutate(node: ts.Node, source: ts.SourceFile, { replace, add }: Edits): void {
  if (ts.isIfStatement(node)) {
    if (!node.elseStatement && leaves(node.thenStatement)) replace('guard', node, '');
    else negate(node.expression);
  } else if (ts.isConditionalExpression(node)) negate(node.condition);
  else if (ts.isWhileStatement(node)) negate(node.expression);
  else if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(source);
    const opposite = OPPOSITES[operator];
    // An equality that is a whole condition is negated there.
    const isCondition = 'expression' in node.parent && ts.isIfStatement(node.parent);
    const isLost = /[<>]/.test(operator) && (comparesTimes(node) || ordersNames(node));
    if (opposite !== undefined && !isTypeTest(node) && !isLost && !(isCondition && /==/.test(operator)))
      replace(/&|\|/.test(operator) ? 'logic' : 'boundary', node.operatorToken, opposite);
  } else if (ts.isCallExpression(node)) mutateCall(node);
  else if (ts.isExpressionStatement(node) && ts.isAwaitExpression(node.expression)) {
    if (ts.isCallExpression(node.expression.expression)) replace('await', node, ';');
  } else if (ts.isRegularExpressionLiteral(node)) mutatePattern(node);
  else if (ts.isNumericLiteral(node)) mutateCount(node);
  else if (ts.isStringLiteral(node) && /^(asc|desc)$/.test(node.text) && ts.isCallExpression(node.parent))
    replace('order', node, node.text === 'asc' ? "'desc'" : "'asc'");

  function negate(condition: ts.Expression): void {
    if (isTypeTest(condition)) return;
    replace('negate', condition, `!(${condition.getText(source)})`);
  }

  function mutateCall(call: ts.CallExpression): void {
    if (call.expression.getText(source) === 'encodeURIComponent')
      replace('encode', call, `(${call.arguments[0]?.getText(source) ?? ''})`);
    if (!ts.isPropertyAccessExpression(call.expression)) return;
    const name = call.expression.name.text;
    if (QUERY_CALLS.test(name)) add('query', call.expression.expression.getEnd(), call.getEnd(), '');
    if (name === 'orderBy' && call.arguments.length === 1)
      add('order', call.getEnd() - 1, call.getEnd(), ", 'desc')");
    const [compare] = call.arguments;
    if (!/^(sort|toSorted)$/.test(name) || !compare || !ts.isArrowFunction(compare)) return;
    const [a, b] = compare.parameters;
    if (a && b) {
      const swapped = `${b.getText(source)}, ${a.getText(source)}`;
      add('order', a.getStart(source), b.getEnd(), swapped);
    }
  }

  function mutatePattern(pattern: ts.RegularExpressionLiteral): void {
    const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern.text) ?? [];
    if (body.startsWith('^')) replace('pattern', pattern, `/${body.slice(1)}/${flags}`);
    if (/(?<!\\)\$$/.test(body)) replace('pattern', pattern, `/${body.slice(0, -1)}/${flags}`);
  }

  function mutateCount(literal: ts.NumericLiteral): void {
    const value = Number(literal.text);
    const { parent } = literal;
    const counts =
      ts.isBinaryExpression(parent) ||
      ts.isPrefixUnaryExpression(parent) ||
      (ts.isCallExpression(parent) && /\.(slice|substring|at)$/.test(parent.expression.getText(source))) ||
      (ts.isVariableDeclaration(parent) && !/_(MS|SECONDS|BYTES)$/.test(parent.name.getText(source)));
    if (
      counts &&
      Number.isInteger(value) &&
      value <= LARGEST_COUNT &&
      !isFactorOfLimit(literal) &&
      !isOrder(literal)
    )
      replace('count', literal, `${value + 1}`);
  }
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) ||
      ts.isThrowStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** One millisecond more or less is not an error. */
function comparesTimes({ left, right }: ts.BinaryExpression): boolean {
  return [left, right].some((side) => /_MS\b|\bnow\(\)|\bgetTime\(\)/.test(side.getText()));
}

/** `a < b ? -1 : 1`: compared names are never equal. */
function ordersNames({ parent }: ts.BinaryExpression): boolean {
  return ts.isConditionalExpression(parent) && /^-?1$/.test(parent.whenTrue.getText());
}

/** `? -1 : 1`: only the sign counts. */
function isOrder({ parent }: ts.NumericLiteral): boolean {
  return ts.isPrefixUnaryExpression(parent) && ts.isConditionalExpression(parent.parent);
}

/** Part of a module-level limit or time, such as `3 * DAY_MS`. */
function isFactorOfLimit(literal: ts.NumericLiteral): boolean {
  let node: ts.Node = literal.parent;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return false;
  while (!ts.isVariableDeclaration(node) && !ts.isSourceFile(node)) node = node.parent;
  return ts.isVariableDeclaration(node) && /^[A-Z][A-Z0-9_]*$/.test(node.name.getText());
}

/** The compiler detects mutations of these. */
function isTypeTest(node: ts.Expression): boolean {
  return ts.isBinaryExpression(node) && ts.isTypeOfExpression(node.left);
}
