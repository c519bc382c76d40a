/** The upper bound of the services benchmark: one Fastify route that reads a JSON body and returns a constant. */
import { startServer } from '@site/server/start-server';
import { runProcess } from '@site/server/run-process';
import { fastify } from 'fastify';

await runProcess(async () => {
  const app = fastify();
  app.post('/bare', () => ({ data: { type: 'bare', id: '1' } }));
  const server = await startServer(app, { port: 0, host: '127.0.0.1' });
  process.stdout.write(`listening on ${server.url}\n`);
  return server;
});
