import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../service-description.ts';

const forOperators =
  /^GET (\/healthz|\/readyz|\/metrics|(\/admin)?(\/openapi\.json|\/docs))$|^(HEAD|OPTIONS) /;

/** The service's own routes, such as `GET /guests/:id`, without those of every server. */
function listRoutes(app: FastifyInstance): string[] {
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
 * without scripts. Admin operations have documents of their own.
 * @param undocumented number of routes without an API description: pages and files for people.
 * @returns the document of all operations.
 */
export async function expectDescribed(app: FastifyInstance, undocumented = 0): Promise<OpenApiDocument> {
  const open = await expectDocument(app, '');
  const admin = app.hasRoute({ method: 'GET', url: '/admin/docs' })
    ? await expectDocument(app, '/admin')
    : null;
  const isAdmin = (path: string) => path.startsWith('/admin/');
  expect(Object.keys(open.paths).filter(isAdmin)).toEqual([]);
  expect(Object.keys(admin?.paths ?? {}).filter((path) => !isAdmin(path))).toEqual([]);
  const paths = { ...open.paths, ...admin?.paths };
  const described = Object.values(paths).flatMap((methods) => Object.keys(methods));
  expect(listRoutes(app)).toHaveLength(described.length + undocumented);
  return { ...open, paths };
}

async function expectDocument(app: FastifyInstance, prefix: string): Promise<OpenApiDocument> {
  const answer = await app.inject(`${prefix}/openapi.json`);
  const document = answer.json<OpenApiDocument>();
  expect(document.openapi).toBe('3.1.1');
  // Keywords of JSON Schema before 2020-12.
  expect(answer.body).not.toMatch(/"additionalItems"|"items":\[/);
  // The server URL is relative to the document.
  expect(
    document.servers.map(({ url }) => new URL(url, `https://api.test/forms${prefix}/openapi.json`).href),
  ).toEqual(['https://api.test/forms/']);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
  const missing = operations.filter(({ method, path }) => {
    const url = path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1');
    return !app.hasRoute({ method, url });
  });
  expect(missing).toEqual([]);
  const used = [...answer.body.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(used));

  const page = await app.inject(`${prefix}/docs`);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.body).not.toMatch(/<script|src=|href="(?!#|openapi\.json)/);
  for (const { method, path } of operations)
    expect(page.body).toContain(`<span class="method">${method}</span><code>${path}</code>`);
  for (const name of used) expect(page.body).toContain(`id="schema-${name}"`);
  return document;
}
