/** What edges report comes at any moment. */
const isReport = (text: string) => text.includes('"edges"');

/**
 * Whether a statement changes something, or begins or ends such a change: after one that only reads
 * everything is as before it.
 */
export function changesData(statement: Buffer): boolean {
  const text = statement.toString('latin1');
  return /\b(insert|update|delete|notify|begin|start transaction|commit)\b/i.test(text) && !isReport(text);
}

/** Whether a statement commits what the ones before it did. */
export function isCommit(statement: Buffer): boolean {
  return /\bcommit\b/i.test(statement.toString('latin1'));
}
