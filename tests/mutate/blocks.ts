import { createHash } from 'node:crypto';
import ts from 'typescript';

export interface Block {
  /** Derived from its first line, so that it stays the same when the block moves. */
  id: string;
  start: number;
  end: number;
  /** An arrow function without braces. */
  isExpression: boolean;
}

/** The blocks of a source file, outer before inner. The first one is the module. */
export function findBlocks(file: string, text: string): [Block, ...Block[]] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const seen = new Map<string, number>();
  const makeBlock = (start: number, end: number, isExpression: boolean): Block => {
    const from = text.lastIndexOf('\n', start) + 1;
    const line = text.slice(from, text.indexOf('\n', start)).trim();
    const count = (seen.get(line) ?? 0) + 1;
    seen.set(line, count);
    const id = createHash('sha256').update(`${file}\0${line}\0${count}`).digest('base64url').slice(0, 8);
    return { id, start, end, isExpression };
  };
  const blocks: [Block, ...Block[]] = [{ ...makeBlock(0, text.length, false), id: moduleId(file) }];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) blocks.push(makeBlock(node.getStart(source) + 1, node.getEnd() - 1, false));
    else if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
      blocks.push(makeBlock(node.body.getStart(source), node.body.getEnd(), true));
    node.forEachChild(visit);
  };
  visit(source);
  return blocks;
}

export const moduleId = (file: string): string =>
  createHash('sha256').update(file).digest('base64url').slice(0, 8);

/** The blocks around a position, the innermost first. */
export function blocksAround(blocks: readonly Block[], place: number): Block[] {
  return blocks.filter(({ start, end }) => start <= place && place < end).reverse();
}

/** Instruments a source file: each block calls `hit` with its number. */
export function instrumented(text: string, blocks: readonly Block[], hit: (index: number) => string): string {
  const edits = blocks.flatMap(({ start, end, isExpression }, index) => {
    if (!isExpression) return index === 0 ? [] : [{ at: start, text: ` ${hit(index)};` }];
    return [
      { at: start, text: `(${hit(index)}, ` },
      { at: end, text: ')' },
    ];
  });
  // Blocks with the same end may close in any order. A block starts after another one ends at the same position.
  edits.sort((a, b) => a.at - b.at || (a.text === ')' ? -1 : b.text === ')' ? 1 : 0));
  let made = '';
  let from = 0;
  for (const edit of edits) {
    made += text.slice(from, edit.at) + edit.text;
    from = edit.at;
  }
  return made + text.slice(from);
}
