import type { ReferralConfirmation } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { noteRefusal, requestRoute } from '@site/server/create-server';
import { toApiError } from '@site/server/error-document';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formsErrors } from '../kernel/errors.ts';
import type { KnownForm } from './known-form.ts';
import type { KnownForms } from './known-forms.ts';
import type { SendPage } from '../kernel/page.ts';
import type { ConfirmationsRepository } from '../referrals/confirmations.repository.ts';
import type { SubscribersRepository } from '../newsletter/subscribers.repository.ts';
import type { PostLimits } from '../kernel/post-limits.ts';
import { FORM_POST_KEY, subscribe } from './subscribe.ts';
import type { SubscriptionsRepository } from './subscriptions.repository.ts';
import { errorPage, problemsPage, receivedPage, tryAgainPage } from './form-pages.ts';
import { readFields, readFormPost } from './read-form-post.ts';

const FORM = 'application/x-www-form-urlencoded';

export interface FormPostsOptions {
  forms: KnownForms;
  subscriptions: SubscriptionsRepository;
  confirmations: ConfirmationsRepository;
  subscribers: SubscribersRepository;
  confirmation: ReferralConfirmation;
  origins: string[];
  ownOrigin: string;
  limits: PostLimits;
  sendPage: SendPage;
  now: () => number;
}

export const isFormPost = (request: FastifyRequest): boolean =>
  (request.headers['content-type'] ?? '').toLowerCase().startsWith(FORM);

export interface FormPosts {
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Adds parsing of plain form posts and error pages to `scope`. API clients get JSON errors. */
export function addFormPosts(
  scope: FastifyInstance,
  {
    forms,
    subscriptions,
    confirmations,
    subscribers,
    confirmation,
    origins,
    ownOrigin,
    limits,
    sendPage,
    now,
  }: FormPostsOptions,
): FormPosts {
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    done(null, readFields(String(body)));
  });

  scope.setErrorHandler((error, request, reply) => {
    const hadForm = request.routeOptions.url === '/subscriptions';
    if (hadForm && !isFormPost(request)) throw error;
    const apiError = toApiError(error);
    noteRefusal(request, apiError);
    if (apiError.status >= 500)
      request.log.error(
        { err: error, route: requestRoute(request), code: apiError.code },
        'the request failed',
      );
    const site = findSite(request);
    const posted = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const form = forms.findNewest(posted.get('source_id') ?? '')?.definition;
    // Never show another site's content under our name.
    if (form === undefined || site === null)
      return sendPage(reply, errorPage(apiError, { site: site ?? origins[0] ?? null, hadForm }));
    return sendPage(reply, tryAgainPage(apiError, { form, posted, problems: [], site }));
  });

  scope.get('/received', async (request, reply) => {
    const { form = '', site = '' } = request.query as Record<string, unknown>;
    const known = typeof site === 'string' && origins.includes(site) ? site : (origins[0] ?? null);
    const named = typeof form === 'string' ? await forms.findNamed(form) : undefined;
    if (!named) throw baseErrors.route_not_found('There is no form of this name.');
    return sendPage(reply, receivedPage(named.definition, known, confirmation));
  });

  /** The site of the posting page, from headers that pages cannot forge. */
  function findSite(request: FastifyRequest): string | null {
    const { origin, referer } = request.headers;
    const from = origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : '');
    if (origins.includes(from)) return from;
    // A form returned by this service contains its original site.
    if (from !== ownOrigin) return null;
    const named = request.body instanceof URLSearchParams ? request.body.get('site') : null;
    return named !== null && origins.includes(named) ? named : (origins[0] ?? null);
  }

  return {
    async answer(request, reply) {
      const site = findSite(request);
      if (site === null) throw formsErrors.origin_unknown('The form did not come from a page of the site.');
      await limits.formPost(request.ip);
      const posted = request.body as URLSearchParams;
      const accepts = (form: KnownForm) => 'submission' in readFormPost(posted, [form]);
      const post = readFormPost(posted, await forms.find(posted.get('source_id') ?? '', accepts));
      const { definition } = post.form;
      if ('problems' in post) {
        const { problems } = post;
        const fields = problems.map(({ field }) => ({ pointer: `/${field}` }));
        noteRefusal(request, { code: 'body_invalid', fields });
        return sendPage(reply, problemsPage({ form: definition, problems, posted, site }));
      }
      await subscribe({ subscriptions, confirmations, subscribers, limits }, post.submission, {
        at: new Date(now()),
        address: request.ip,
        visitor: '',
        idempotencyKey: `${FORM_POST_KEY}${post.submission.contentHash}`,
        captcha: null,
      });
      // Relative, because the service may be mounted below a path.
      const query = new URLSearchParams({ form: definition.name, site });
      return reply.header('cache-control', 'no-store').redirect(`received?${query.toString()}`, 303);
    },
  };
}
