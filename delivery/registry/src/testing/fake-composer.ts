import { ComposeError } from '@site/composer/compose-error';
import type { ComposeRequest, Composer } from '@site/composer/create-composer';
import { variantChoices, variantKey } from '@site/contract';

/** Replaces the child process: renders every page to a text with its name, and records the calls. */
export interface FakeComposer extends Composer {
  requests: ComposeRequest[];
  broken: Set<string>;
  /** Additional contents of the page at a path. Default: none. */
  extraMarkup: (path: string) => string;
  meanwhile: () => Promise<void>;
}

export function createFakeComposer(): FakeComposer {
  const fake: FakeComposer = {
    requests: [],
    broken: new Set(),
    extraMarkup: () => '',
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
            html: `<h1>${request.app} ${path} ${variantKey(choice)}</h1>${fake.extraMarkup(path)}`,
          },
        }));
      });
    },
  };
  return fake;
}
