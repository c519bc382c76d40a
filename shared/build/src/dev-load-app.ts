import { parentPort, workerData } from 'node:worker_threads';
import { AppConfigError, loadApp, type App } from './app.ts';

/** A worker that reads an app's configuration, because a thread never re-evaluates an imported module. */
export type LoadedApp = { app: App } | { problem: string };

async function load(folder: string): Promise<LoadedApp> {
  try {
    return { app: await loadApp(folder) };
  } catch (error) {
    if (error instanceof AppConfigError) return { problem: error.message };
    throw error;
  }
}

parentPort?.postMessage(await load(String(workerData)));
