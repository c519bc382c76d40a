import { scriptProblems, siteNames, styleProblems } from '@site/contract/remote-isolation';

export interface IsolationInput {
  app: string;
  shellStyles: string[];
  texts: [path: string, text: string][];
}

export function isolationProblems({ app, shellStyles, texts }: IsolationInput): string[] {
  const names = siteNames(shellStyles);
  return texts.flatMap(([path, text]) =>
    (path.endsWith('.css') ? styleProblems(app, text, names, true) : scriptProblems(app, text)).map(
      (problem) => `${path}: ${problem}`,
    ),
  );
}
