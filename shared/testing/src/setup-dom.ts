import '@testing-library/jest-dom';
import { TextDecoder, TextEncoder } from 'node:util';

// jsdom leaves out what every supported browser has and react-router needs.
Object.assign(globalThis, { TextEncoder, TextDecoder });
