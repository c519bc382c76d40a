export { appRoutes } from './app.routes.ts';
