export { countHooks, listHooks } from './alert-hook.repository.ts';
export { keepAlerting } from './alert-job.ts';
export { dropQueue } from './alert.repository.ts';
export { alertRoutes } from './alert.routes.ts';
export { type Alert, type Trouble, webhookHeaders } from './alert.ts';
export { listTroubles } from './trouble.repository.ts';
export type { OutsideChecks } from './watch-troubles.ts';
