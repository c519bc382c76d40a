import * as v from 'valibot';
import { jsonText, SearchSectionsSchema, versionLimits } from '@site/contract';
import { ComposeError, composeErrorCodes } from './compose-error.ts';
import type { ComposedPage, ComposeRequest } from './create-composer.ts';
import type { FrameLimits } from './frames.ts';

/** Registry and composer are trusted; the limits are a safety net. */
export const REQUEST_LIMITS: FrameLimits = { bytes: 2 * versionLimits.bytes + 16 * 1024 * 1024, parts: 3 };
export const ANSWER_LIMITS: FrameLimits = {
  bytes: versionLimits.bytes + 16 * 1024 * 1024,
  parts: 1 + 5 * versionLimits.renderings,
};
const LONGEST_REFUSAL = 256 * 1024;

export type Parts = (string | Uint8Array)[];
type SentRequest = Omit<ComposeRequest, 'shell' | 'remote'>;

export function requestParts(request: ComposeRequest): Parts {
  const { app, config, pages, shell, remote } = request;
  const described: SentRequest = { app, config, pages };
  return [JSON.stringify(described), shell, remote];
}

/** The registry is trusted, so its input is not validated. */
export function readComposeRequest([described, shell, remote]: Buffer[]): ComposeRequest {
  if (!described || !shell || !remote) throw new Error('The registry sent half a request.');
  return { ...(JSON.parse(described.toString()) as SentRequest), shell, remote };
}

export const PROGRESS: Parts = ['progress'];

export function isProgress([kind]: readonly Buffer[]): boolean {
  return kind?.toString() === 'progress';
}

const RefusalSchema = v.strictObject({
  code: v.picklist(composeErrorCodes),
  app: v.string(),
  path: v.nullable(v.string()),
  variant: v.nullable(v.string()),
  problem: v.string(),
  cause: v.string(),
});

export function composedParts(pages: readonly ComposedPage[]): Parts {
  return [
    'composed',
    ...pages.flatMap(({ path, variantKey, page: { head, html, sections = [] } }) => [
      ...[path, variantKey, head, html, JSON.stringify(sections)],
    ]),
  ];
}

export function refusedParts(error: ComposeError): Parts {
  const { code, app, path, variant, problem, cause } = error;
  const refusal: v.InferOutput<typeof RefusalSchema> = {
    ...{ code, app, path, variant, problem },
    cause: cause instanceof Error ? (cause.stack ?? cause.message) : '',
  };
  return ['refused', JSON.stringify(refusal)];
}

export function readComposeAnswer(parts: readonly Buffer[]): ComposedPage[] | ComposeError | null {
  const [kind, ...rest] = parts;
  switch (kind?.toString()) {
    case 'composed': {
      if (rest.length % 5 !== 0) return null;
      const texts = rest.map(String);
      return Array.from({ length: texts.length / 5 }, (_, index) => {
        const [path = '', variantKey = '', ...page] = texts.slice(index * 5, index * 5 + 5);
        const [head = '', html = '', sections = ''] = page;
        return { path, variantKey, page: { head, html, sections: readSections(sections) } };
      });
    }
    case 'refused':
      return readRefusal(rest);
    default:
      return null;
  }
}

const readSections = v.parser(v.fallback(jsonText(SearchSectionsSchema), []));

function readRefusal([text]: readonly Buffer[]): ComposeError | null {
  if (!text || text.length > LONGEST_REFUSAL) return null;
  const parsed = v.safeParse(jsonText(RefusalSchema), text.toString());
  if (!parsed.success) return null;
  const { code, problem, cause: stack, ...place } = parsed.output;
  const cause = Object.assign(new Error(problem), { stack });
  return new ComposeError(code, place, problem, stack ? { cause } : {});
}
