import '@site/ui/base.css';
import './console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { CONSOLE_PATH } from '@site/contract/registry-calls/session.calls';
import { App } from './app.tsx';
import { takeCode } from './data/session.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element #root.');
// Before rendering, and once: the code must not stay in the URL.
const code = takeCode();
createRoot(root).render(
  <StrictMode>
    <BrowserRouter basename={CONSOLE_PATH}>
      <App code={code} />
    </BrowserRouter>
  </StrictMode>,
);
