import { parentPort, workerData } from 'node:worker_threads';
import { isolationProblems, type IsolationInput } from './isolation-problems.ts';

parentPort?.postMessage(isolationProblems(workerData as IsolationInput));
