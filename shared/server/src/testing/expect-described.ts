import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../service-description.ts';

const forOperators = /^GET (\/healthz|\/readyz|\/metrics|\/openapi\.json|\/docs)$|^(HEAD|OPTIONS) /;

/** The service's own routes, such as `GET /guests/:id`, without those of every server. */
function routesOf(app: FastifyInstance): string[] {
  // Fastify prints each path below its prefix, indented by four characters a level.
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*[└├]── )(\S+)(?: \((.+)\))?$/.exec(line) ?? [];
      path.length = Math.max(0, indent.length / 4 - 1);
      path.push(part);
      return methods ? methods.split(', ').map((method) => `${method} ${path.join('')}`) : [];
    })
    .filter((route) => !forOperators.test(route));
}

/**
 * Checks a server against its description: exactly its routes, all of whose schemas exist, as JSON and as a page
 * without scripts.
 * @param undocumented number of routes without an API description: pages and files for people.
 */
export async function expectDescribed(app: FastifyInstance, undocumented = 0): Promise<OpenApiDocument> {
  const answer = await app.inject('/openapi.json');
  const document = answer.json<OpenApiDocument>();
  expect(document.openapi).toBe('3.1.1');
  // Keywords of JSON Schema before 2020-12.
  expect(answer.body).not.toMatch(/"additionalItems"|"items":\[/);
  // The server URL is relative to the document.
  expect(document.servers.map(({ url }) => new URL(url, 'https://api.test/forms/openapi.json').href)).toEqual(
    ['https://api.test/forms/'],
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const missing = operations.filter(({ method, path }) => {
    const url = path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1');
    return !app.hasRoute({ method, url });
  });
  expect(missing).toEqual([]);
  expect(routesOf(app)).toHaveLength(operations.length + undocumented);
  const used = [...answer.body.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(used));

  const page = await app.inject('/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.body).not.toMatch(/<script|src=|href="(?!#|openapi\.json)/);
  for (const { method, path } of operations) expect(page.body).toContain(`${method} ${path}`);
  for (const name of used) expect(page.body).toContain(`id="schema-${name}"`);
  return document;
}
