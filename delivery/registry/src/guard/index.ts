export type { GuardAction } from './guard-action.repository.ts';
export { keepGuarding } from './guard-job.ts';
export { effectivePolicy, listPolicies } from './guard-policy.repository.ts';
export { guardRoutes } from './guard.routes.ts';
export { showStages } from './show-health.ts';
