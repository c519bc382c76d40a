export { previewRoutes } from './preview.routes.ts';
