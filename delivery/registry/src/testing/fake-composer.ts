import { ComposeError } from '@site/composer/compose-error';
import type { ComposeRequest, Composer } from '@site/composer/create-composer';
import { variantChoices, variantKey } from '@site/contract';

/** Stands in for the child process: renders every page to a text that names it, and remembers what was asked. */
export interface FakeComposer extends Composer {
  requests: ComposeRequest[];
  /** Paths that throw while rendering. */
  broken: Set<string>;
  /** What stands in the page at a path beside its name. Default: nothing. */
  moreOf: (path: string) => string;
  /** Called in the middle of each composing: what others do meanwhile. */
  meanwhile: () => Promise<void>;
}

export function createFakeComposer(): FakeComposer {
  const fake: FakeComposer = {
    requests: [],
    broken: new Set(),
    moreOf: () => '',
    meanwhile: () => Promise.resolve(),
    async compose(request) {
      fake.requests.push(request);
      await fake.meanwhile();
      return request.pages.flatMap(({ path, variants }) => {
        if (fake.broken.has(path)) {
          const place = { app: request.app, path, variant: null };
          throw new ComposeError('compose_page_failed', place, 'cannot be rendered: Error: no such block');
        }
        return variantChoices(variants).map((choice) => ({
          path,
          variantKey: variantKey(choice),
          page: {
            head: `<title>${path}</title>`,
            html: `<h1>${request.app} ${path} ${variantKey(choice)}</h1>${fake.moreOf(path)}`,
          },
        }));
      });
    },
  };
  return fake;
}
