import { createHash } from 'node:crypto';
import {
  APP_ID_HEADER,
  declaredKinds,
  formContracts,
  IDEMPOTENCY_HEADER,
  SubscriptionSchema,
  type FormContractDocument,
  type ReferralConfirmation,
  type Subscription,
} from '@site/contract';
import { createServer } from '@site/server/create-server';
import { accessErrors, createGuestAccess } from '@site/server/guest-access';
import { readIdempotencyKey } from '@site/server/idempotency-key';
import { sendJsonApi } from '@site/server/json-api';
import { includedBy, jsonApiCall } from '@site/server/json-api-call';
import { mountOperations } from '@site/server/mount-calls';
import { serveOpenApi } from '@site/server/openapi';
import { parseBody } from '@site/server/validate';
import { addVisitorAdmin } from '@site/server/visitor-admin';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formsDescription, formsOperations, formsSchemas } from './api-description.ts';
import { createIdentitiesRepository, identityDocument } from './identities/identities.ts';
import { createInboxAccess } from './inbox/inbox-access.ts';
import { addInbox } from './inbox/inbox-routes.ts';
import { createInboxRepository } from './inbox/inbox.repository.ts';
import { addSubscriberList } from './inbox/subscriber-list.ts';
import { formsErrors } from './kernel/errors.ts';
import { createSendPage } from './kernel/page.ts';
import { addNewsletterRoutes } from './newsletter/newsletter-routes.ts';
import { createLinkPages } from './outbox/email-links.ts';
import type { FormsParts } from './parts.ts';
import { addConfirmRoutes } from './referrals/confirm-routes.ts';
import { createConfirmationsRepository } from './referrals/confirmations.repository.ts';
import { addUnsubscribeRoutes } from './referrals/unsubscribe-routes.ts';
import { createCaptcha } from './submissions/captcha.ts';
import { createDeclaredForms, pollDeclaredForms } from './submissions/declared-forms.ts';
import { addFormPosts, isFormPost } from './submissions/form-posts.ts';
import { createKnownForms } from './submissions/known-forms.ts';
import { acceptsSubmission, checkSubmission, isNewsletter } from './submissions/submission.ts';
import { subscribe } from './submissions/subscribe.ts';
import { subscriptionDocument } from './submissions/subscription-document.ts';
import { createSubscriptionsRepository } from './submissions/subscriptions.repository.ts';
import { createTokenVerifier } from './verify-token.ts';
import { createVisitorRecords } from './visitor-records.ts';

export async function createApp({
  config,
  database,
  db,
  now,
  keys,
  fetchLiveSite,
  counters,
  postLimits,
  emailLimits,
  readSecret,
  subscribers,
  links,
  findBrand,
}: FormsParts): Promise<FastifyInstance> {
  const identities = createIdentitiesRepository(db);
  const subscriptions = createSubscriptionsRepository(db);
  const captcha = createCaptcha(config.captcha, { secret: () => readSecret('captcha'), counters, now });
  const confirmations = createConfirmationsRepository(db);
  const confirmation: ReferralConfirmation = config.mail === null ? 'held' : 'by_mail';
  const sendPage = createSendPage({ findBrand, site: config.origins[0] ?? null });

  const app = await createServer({
    name: 'forms',
    logLevel: config.logLevel,
    trustProxy: config.trustProxy,
    handlerTimeout: 20_000,
    rateLimit: config.rateLimit,
    cors: {
      origins: config.origins,
      allowedHeaders: ['authorization', APP_ID_HEADER, 'content-type', IDEMPOTENCY_HEADER],
    },
    ready: () => database.ping(),
  });
  const declared = createDeclaredForms({ db, fetchLiveSite, now, log: app.log });
  const forms = createKnownForms(declared);
  if (fetchLiveSite) app.addHook('onClose', pollDeclaredForms(declared, app.log));
  const access = createGuestAccess(createTokenVerifier(keys, now), config.appIds, (request, guest) =>
    app.limitGuest(request, guest),
  );

  const gates = { app: access.requireApp, 'app and guest': access.ownGuest };
  mountOperations(app, { operations: formsOperations, schemas: formsSchemas }, gates, {
    async registerIdentity({ caller: id, body, request, reply }) {
      requireSameId(id, body.unique_id);
      const { identity, created } = await identities.register(body, new Date(now()));
      void reply.status(created ? 201 : 200).header('location', `/identities/${id}`);
      return identityDocument(identity, includedBy(request));
    },
    readIdentity: async ({ caller: id, request }) =>
      identityDocument((await identities.find(id)) ?? notFound(id), includedBy(request)),
    async changeIdentity({ caller: id, body, request }) {
      requireSameId(id, body.unique_id);
      return identityDocument((await identities.update(id, body)) ?? notFound(id), includedBy(request));
    },
    // For the registry, which has no app id. The contract is public.
    readFormContract: () => formContractDocument(fetchLiveSite !== null),
    async getChallenge({ request }) {
      const challenge = await captcha.challenge(request.ip);
      const id = challenge.parameters.nonce;
      return { data: { type: 'captcha-challenges', id, attributes: { challenge } } };
    },
  });

  // A separate scope: only these routes parse plain form posts and respond with pages.
  await app.register((scope, _options, done) => {
    const formPosts = addFormPosts(scope, {
      forms,
      subscriptions,
      confirmations,
      subscribers,
      confirmation,
      origins: config.origins,
      ownOrigin: new URL(config.publicUrl).origin,
      limits: postLimits,
      sendPage,
      now,
    });
    // Its errors are pages too, but it accepts other bodies than the forms.
    void scope.register((inner, _innerOptions, innerDone) => {
      const addLinkPage = createLinkPages(inner, { links, sendPage });
      addUnsubscribeRoutes(addLinkPage, { db, now });
      addConfirmRoutes(addLinkPage, { confirmations, now });
      addNewsletterRoutes(addLinkPage, { subscribers, now });
      innerDone();
    });
    scope.post('/subscriptions', jsonApiCall(), async (request, reply) =>
      isFormPost(request) ? formPosts.answer(request, reply) : answerSubscription(request, reply),
    );
    done();
  });

  async function answerSubscription(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    access.requireApp(request);
    const guest = await access.guestOfToken(request);
    const subscription = parseBody(SubscriptionSchema, request.body);
    requireOwnVisitor(subscription, guest);
    const known = await forms.find(subscription.source_id, (form) => acceptsSubmission(form, subscription));
    const submission = checkSubmission(subscription, known);
    // The newsletter never has a captcha.
    if (isNewsletter(submission.form)) await postLimits.formPost(request.ip);
    const { stored, created } = await subscribe(
      { subscriptions, confirmations, subscribers, limits: postLimits },
      submission,
      {
        at: new Date(now()),
        address: request.ip,
        visitor: subscription.visitor_unique_id,
        idempotencyKey: readIdempotencyKey(request),
        captcha,
      },
    );
    return sendJsonApi(reply.status(created ? 201 : 200), subscriptionDocument(stored, confirmation));
  }

  const authorize = createInboxAccess(config, now);
  const inbox = createInboxRepository(db);
  addInbox(app, { authorize, inbox, forms });
  addSubscriberList(app, { authorize, inbox, subscribers, links, publicUrl: config.publicUrl });
  addVisitorAdmin(app, {
    adminToken: config.adminToken,
    records: createVisitorRecords(db, emailLimits),
    now,
  });
  serveOpenApi(app, formsDescription);
  return app;
}

/** Anyone may subscribe without an identity, but not under another visitor's identity. */
function requireOwnVisitor({ visitor_unique_id: visitor }: Subscription, guest: string | null): void {
  if (visitor === '' || visitor === guest) return;
  const source = { pointer: '/visitor_unique_id' };
  throw guest === null
    ? accessErrors.token_missing('A submission with a visitor id needs the token of that visitor.', {
        source,
        headers: { 'www-authenticate': 'Bearer' },
      })
    : accessErrors.guest_not_yours('The token belongs to a different guest than "visitor_unique_id".', {
        source,
      });
}

function requireSameId(id: string, given: string): void {
  if (given === id) return;
  throw formsErrors.identity_id_mismatch('"unique_id" differs from the id in the path.', {
    source: { pointer: '/unique_id' },
  });
}

function notFound(id: string): never {
  throw formsErrors.identity_not_found(`There is no identity "${id}".`);
}

/**
 * The accepted fields of each form. Publishing a page compares them with its form.
 * @param acceptsDeclared whether forms declared by remotes are accepted.
 */
function formContractDocument(acceptsDeclared: boolean): FormContractDocument {
  const attributes = { forms: formContracts, ...(acceptsDeclared ? { kinds: [...declaredKinds] } : {}) };
  const id = createHash('sha256').update(JSON.stringify(attributes)).digest('hex');
  return { data: { type: 'form-contracts', id, attributes } };
}
