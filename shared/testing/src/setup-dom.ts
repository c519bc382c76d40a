import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import { TextDecoder, TextEncoder } from 'node:util';

// Missing in jsdom but present in every supported browser; react-router needs it.
Object.assign(globalThis, { TextEncoder, TextDecoder });

// Also on a busy machine.
configure({ asyncUtilTimeout: 20_000 });
