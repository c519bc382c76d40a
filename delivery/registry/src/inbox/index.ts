export { type InboxConfig, type InboxService, createInboxService } from './inbox-service.ts';
export { inboxRoutes } from './inbox.routes.ts';
