import type { FastifyInstance } from 'fastify';
import {
  EXCHANGE_FORM,
  EXCHANGE_PATH,
  ExchangeRequestSchema,
  trustCalls,
} from '@site/contract/registry-calls/trust.calls';
import { baseErrors } from '@site/server/base-errors';
import { clientNetwork } from '@site/server/client-address';
import { addCallerLimit } from '@site/server/rate-limit';
import * as v from 'valibot';
import { createIssuerKeys } from './issuer-keys.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { createExchange } from './exchange-id-token.ts';
import { addTrust, removeTrust, showTrusts } from './manage-trusts.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

const LARGEST_EXCHANGE_BYTES = 32 * 1024;
/** A company's runners share an IP address, and each command is one exchange. */
const EXCHANGES_PER_MINUTE = 120;

export function trustRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, trustCalls, {
    addTrust: ({ command, body }) => addTrust(command, body),
    listTrusts: () => showTrusts(base.db),
    removeTrust: ({ command, params: { trust }, body }) => removeTrust(command, trust, body),
  });
}

/**
 * Not in the table of calls, because it has no authorization and its form follows RFC 8693; errors have the usual
 * format.
 */
export async function exchangeRoutes(
  app: FastifyInstance,
  context: Pick<RegistryContext, 'db' | 'now'>,
): Promise<void> {
  const limit = await addCallerLimit(app, {
    who: 'this address to exchange id tokens',
    max: EXCHANGES_PER_MINUTE,
  });
  const exchange = createExchange(context, createIssuerKeys(context.now), (note) =>
    app.log.info(note, note.refused === null ? 'a pipeline was let in' : 'a pipeline was not let in'),
  );
  await app.register((scope, _options, done) => {
    // The body is a secret: other parsers would quote it in error messages.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(EXCHANGE_FORM, { parseAs: 'string' }, (_request, body, parsed) => {
      parsed(null, new URLSearchParams(String(body)));
    });
    scope.post(
      EXCHANGE_PATH,
      {
        bodyLimit: LARGEST_EXCHANGE_BYTES,
        onRequest: (request) => limit(request, clientNetwork(request.ip)),
      },
      async ({ body }, reply) => {
        const { subject_token } = readExchange(body);
        void reply.header('cache-control', 'no-store');
        return exchange(subject_token);
      },
    );
    done();
  });
}

/** @throws ApiError `media_type_unsupported`, `request_malformed`: their messages do not repeat the input. */
function readExchange(body: unknown): v.InferOutput<typeof ExchangeRequestSchema> {
  if (!(body instanceof URLSearchParams)) {
    throw baseErrors.media_type_unsupported(`The body is sent with "content-type: ${EXCHANGE_FORM}".`);
  }
  const known = Object.keys(ExchangeRequestSchema.entries);
  const names = [...body.keys()];
  if (names.length > known.length || names.some((name) => !known.includes(name))) {
    throw baseErrors.request_malformed(
      `The form has these fields, each once, and no others: ${known.join(', ')}.`,
    );
  }
  const read = v.safeParse(ExchangeRequestSchema, Object.fromEntries(body));
  if (read.success) return read.output;
  throw baseErrors.request_malformed(read.issues[0].message);
}
