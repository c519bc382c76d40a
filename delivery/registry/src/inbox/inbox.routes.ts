import type { FastifyInstance } from 'fastify';
import { inboxCalls } from '@site/contract/registry-calls/inbox.calls';
import type { RegistryContext } from '../kernel/context.ts';
import {
  countSubmissions,
  listReaders,
  listSubmissions,
  markSubmission,
  showSubmission,
} from './read-inbox.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function inboxRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, inboxCalls, {
    countSubmissions: ({ actor }) => countSubmissions(base, actor),
    listSubmissions: ({ actor, query }) => listSubmissions(base, actor, query),
    listReaders: ({ actor, query }) => listReaders(base, actor, query),
    showSubmission: ({ actor, params }) => showSubmission(base, actor, params.submission),
    markSubmission: ({ actor, params, body }) => markSubmission(base, actor, params.submission, body),
  });
}
