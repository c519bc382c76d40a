import '@testing-library/jest-dom';
import { TextDecoder, TextEncoder } from 'node:util';

// Missing in jsdom but present in every supported browser; react-router needs it.
Object.assign(globalThis, { TextEncoder, TextDecoder });
