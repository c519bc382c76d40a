/** Statements for edges' reports, which arrive at any time. */
const isReport = (text: string) => text.includes('"edges"');

/** Whether a statement changes data, or begins or ends a transaction that does. Others have no effect. */
export function changesData(statement: Buffer): boolean {
  const text = statement.toString('latin1');
  return /\b(insert|update|delete|notify|begin|start transaction|commit)\b/i.test(text) && !isReport(text);
}

/** Whether a statement commits. */
export function isCommit(statement: Buffer): boolean {
  return /\bcommit\b/i.test(statement.toString('latin1'));
}
