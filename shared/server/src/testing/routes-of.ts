import type { FastifyInstance } from 'fastify';

const forOperators = /^GET (\/healthz|\/readyz|\/metrics|\/openapi\.json|\/docs)$|^(HEAD|OPTIONS) /;

/** The routes of a service that callers use, as `GET /guests/:id`, sorted: without those that every server has. */
export function routesOf(app: FastifyInstance): string[] {
  // The tree shows each path below the one that it continues, indented by four characters a level.
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
    .filter((route) => !forOperators.test(route))
    .sort();
}
