import '@site/ui/base.css';
import './static/static-files.ts';
import { boot } from './boot/boot.tsx';
import { keepNoticed } from './signals/noticed.ts';

// As what is thrown before: `static/not-started.js` tells of both.
boot(keepNoticed()).catch(reportError);
