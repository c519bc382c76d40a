import * as v from 'valibot';

/** One line for each issue: the field, the rule, and the value. */
export function issueLines(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .map((issue) => {
      const at = v.getDotPath(issue);
      return `  ${at ? `${at}: ` : ''}${issue.message}${valueText(issue.input)}`;
    })
    .join('\n');
}

/** Only a short value is helpful. For a rule about a whole file, the input is the whole file. */
function valueText(input: unknown): string {
  const text = input === undefined ? 'nothing' : JSON.stringify(input);
  return text.length <= 200 ? ` (got ${text})` : '';
}
