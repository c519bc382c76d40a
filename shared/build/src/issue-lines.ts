import * as v from 'valibot';

/** One line per issue: the field, the rule, and the value. A rule about the whole file has neither field nor value. */
export function issueLines(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .map((issue) => {
      const at = v.getDotPath(issue);
      return at ? `  ${at}: ${issue.message}${valueText(issue.input)}` : `  ${issue.message}`;
    })
    .join('\n');
}

function valueText(input: unknown): string {
  const text = input === undefined ? 'nothing' : JSON.stringify(input);
  return text.length <= 200 ? ` (got ${text})` : '';
}
