import { filesIn, extractProse, readText } from './read-documents.ts';

/**
 * `npm run lint:prose`: counts phrases that CONTRIBUTING.md ("Writing") advises against, per 10,000 words of documents,
 * and of comments and texts in source and tests. Lower a limit whenever its count allows it. `-- --list` prints each
 * finding.
 */
const LIMITS = { documents: 5, source: 5, tests: 5 };
type Kind = keyof typeof LIMITS;

const verbs = 'is|are|was|were|has|have|does|do|did|may|must|can|comes|came|stands|happens|differs';
const openers =
  'it|they|he|she|what|there|this|that|its|their|all|each|an?|the|no|nothing|whoever|everything|others|browsers|visitors|former|stored';
const phrases: Record<string, RegExp> = {
  'what … is': new RegExp(
    String.raw`(?:^|[.;:(]\s+|\*\s|,\s)What (?!if\b|about\b)[a-z]+ (?:[a-z]+ ){0,6}(?:${verbs}|visitors|it|they|others)\b(?![^.?!]*\?)`,
    'g',
  ),
  'is told, tells of':
    /\b(?:is|are|was|were|be|been|being) told\b|\btold (?:of|as|apart|with)\b|\btells? (?:of|what|that|whether|how|which|why)\b/gi,
  'whoever, nobody, somebody': /\b(?:whoever|nobody|somebody)\b/gi,
  'stands in': /\bstands? (?:in|beside|behind|there|alone|once|by|below|at|for itself)\b/gi,
  ', for (because)': new RegExp(String.raw`, for (?:${openers})\b (?=[a-z]+)`, 'g'),
  'those of, of its own':
    /\b(?:those|that) of (?:the|its|an?|other|all|each|these|this|ours)\b|\bof (?:its|their|his|her|one's|ours|our|a) own\b/gi,
  'meanwhile, former, anew': /\b(?:meanwhile|former|anew|afresh)\b/gi,
  'take back, put away': /\b(?:take|takes|took|taken|taking|put|puts|putting)(?: \w+)? (?:back|away)\b/gi,
  'is over, good for': /\b(?:is|are|was) over\b|\bgood (?:once|for (?:a|one|\d+))\b/gi,
  'is looked at, goes on, also when':
    /\b(?:is|are|was|were|be) (?:looked at|asked)\b|\b(?:goes|go|went|going) on\b|\balso (?:when|where|with|if)\b/gi,
};

const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;
const texts = /'(?:[^'\\\n]|\\.){15,}'|"(?:[^"\\\n]|\\.){15,}"|`(?:[^`\\]|\\.){15,}`|>[^<>{}\n]{25,}</g;

/** The parts of a file that people read. */
function proseIn(path: string): string[] {
  const text = readText(path);
  if (path.endsWith('.md')) return [extractProse(text)];
  const joined = (text.match(comments) ?? []).map((comment) => comment.replaceAll(/\n\s*\*/g, ' '));
  return [...joined, ...(text.replaceAll(comments, '').match(texts) ?? [])];
}

function fileKind(path: string): Kind {
  if (path.endsWith('.md')) return 'documents';
  return /^tests\/|\.test\./.test(path) ? 'tests' : 'source';
}

// Excludes third-party texts (the specification, packages' reports), and the files that quote the phrases.
const excepted =
  /^docs\/specification\/|\/api\.md$|^tests\/contract\/former\/|^tests\/docs\/(?:lint-prose|words\.test)\.ts$/;
const paths = filesIn('.').filter((path) => /\.(?:md|[cm]?[jt]sx?|css)$/.test(path) && !excepted.test(path));

const counts = { documents: 0, source: 0, tests: 0 };
const words = { documents: 0, source: 0, tests: 0 };
for (const path of paths) {
  const kind = fileKind(path);
  for (const piece of proseIn(path)) {
    words[kind] += piece.split(/\s+/).length;
    for (const [name, pattern] of Object.entries(phrases)) {
      for (const { 0: found, index } of piece.matchAll(pattern)) {
        counts[kind] += 1;
        if (!process.argv.includes('--list')) continue;
        const context = piece
          .slice(Math.max(0, index - 40), index + found.length + 40)
          .replaceAll(/\s+/g, ' ');
        process.stdout.write(`${path}: ${name}: …${context}…\n`);
      }
    }
  }
}

for (const kind of Object.keys(LIMITS) as Kind[]) {
  const rate = (counts[kind] / words[kind]) * 10_000;
  const failed = rate > LIMITS[kind];
  if (failed) process.exitCode = 1;
  process.stdout.write(
    `${kind}: ${rate.toFixed(1)} phrases to avoid per 10,000 words, at most ${LIMITS[kind]}${failed ? ': FAILED, see "npm run lint:prose -- --list"' : ''}\n`,
  );
}
