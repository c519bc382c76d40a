import '@site/ui/base.css';
import './static/static-files.ts';
import { boot } from './boot/boot.tsx';

boot().catch((error: unknown) => {
  console.error('The app failed to start.', error);
});
