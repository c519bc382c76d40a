import '@site/ui/base.css';
import './static/static-files.ts';
import { boot } from './boot/boot.tsx';
import { keepNoticed } from './signals/noticed.ts';

boot(keepNoticed()).catch((error: unknown) => {
  console.error('The app failed to start.', error);
});
