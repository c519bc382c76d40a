import { cacheKeys } from '@site/contract/cache-keys';
import { answerStatus } from '@site/contract/http';
import { edgePageHtml, edgePagePolicy, type EdgePage } from '../pages/edge-page.ts';
import { gonePage } from '../releases/gone-page.ts';
import { plainBody, type EncodedBody } from '@site/server/encoded-body';
import { withRequestId } from '@site/server/request-id';
import type { Asset, ServedFile } from '../files/served-file.ts';
import type { PageDocument } from '../releases/loaded-release.ts';
import type { View } from './choose-view.ts';
import {
  cookieHeaders,
  documentHeaders,
  fileCaches,
  fileHeaders,
  pageHeaders,
  personalHeaders,
} from './headers.ts';
import { derived } from '../files/derived.ts';
import { kept, type Headers, type Reply } from './reply.ts';

const emptyBody = plainBody('');

/** Depends on all apps of the release and its configuration. */
const tableKeys = [cacheKeys.table];

/** A response that depends on the whole release, unless it is personal. */
export function sharedReply({ isPersonal }: View, reply: Reply): Reply {
  return isPersonal ? reply : { ...reply, keys: tableKeys };
}

export function text(status: number, message: string, headers: Headers = {}): Reply {
  return {
    status,
    body: plainBody(`${message}\n`),
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
  };
}

export function json(value: unknown): Reply {
  return {
    status: 200,
    body: plainBody(JSON.stringify(value)),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

/** Personal during a canary or in a preview: then it keeps the visitor's side. */
export function tableReply(body: EncodedBody, { isPersonal, cookies }: View): Reply {
  return {
    status: 200,
    body,
    keys: isPersonal ? undefined : tableKeys,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': isPersonal ? 'private, no-cache' : 'no-cache',
      ...(isPersonal ? { Vary: 'Cookie' } : {}),
      ...cookieHeaders(cookies),
    },
    revalidates: true,
  };
}

/** Texts and pages of errors show the request id, without which a report cannot be found in the logs. */
export function identified(reply: Reply, requestId: string): Reply {
  if (reply.status < 400) return reply;
  const html = String(reply.headers['Content-Type']).startsWith('text/html');
  const body = reply.body.identity.toString();
  const { sent: _sent, ...rest } = reply;
  return {
    ...rest,
    body: plainBody(html ? withRequestId(body, requestId) : `${body}Request ID: ${requestId}\n`),
  };
}

/** Not cacheable. */
export function edgePage(page: EdgePage, headers: Headers): Reply {
  return {
    status: page.status,
    body: plainBody(edgePageHtml(page)),
    headers: pageHeaders({
      'Content-Security-Policy': edgePagePolicy,
      'Cache-Control': 'no-store',
      ...headers,
    }),
  };
}

/** Rejected reports get the same response as accepted ones, so that abusers learn nothing. */
export const taken: Reply = { status: 202, body: emptyBody, headers: {} };

export function redirect(status: number, location: string, headers: Headers): Reply {
  return { status, body: emptyBody, headers: { Location: location, ...headers } };
}

export function file({ body, contentType }: ServedFile, cache: Headers): Reply {
  return { status: 200, body, headers: fileHeaders(contentType, cache), revalidates: true };
}

/** A content-hashed file. */
export const immutable = derived((asset: Asset): Reply =>
  kept({ ...file(asset, fileCaches.forever), hasRanges: true, keys: asset.keys }),
);

export const sharedFile = derived((found: ServedFile): Reply =>
  kept({ ...file(found, fileCaches.anHour), keys: tableKeys }),
);

export const refusedScriptReply = text(410, 'This file is not a worker of the site.');

export function noSuchFile(): Reply {
  return text(404, 'There is no such file.');
}

/** Not cacheable, because the app may return. @param made null if the release has no such page. */
export function goneReply(made: PageDocument | null, view: View): Reply {
  if (!made) return sharedReply(view, edgePage(gonePage, personalHeaders(view)));
  const headers = documentHeaders(made, false, view);
  return {
    status: gonePage.status,
    body: made.body,
    headers: { ...headers, 'Cache-Control': 'no-store', ...personalHeaders(view) },
    links: made.links,
    keys: view.isPersonal ? undefined : made.keys,
  };
}

/** Specific to this request, so never `notReady`: a proxy would take the edge out of service for all visitors. */
export function unavailable(
  status: typeof answerStatus.limitReached | typeof answerStatus.dependencyDown,
): Reply {
  return text(status, 'This is not available right now. Please try again.', { 'Retry-After': '5' });
}

export const startingPage = edgePage(
  {
    status: answerStatus.notReady,
    title: 'One moment',
    html: '<p>The site is starting. This page tries again every five seconds.</p>',
    reloadAfter: 5,
  },
  { 'Retry-After': '5' },
);
