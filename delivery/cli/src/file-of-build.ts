import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A file of the app's package `@site/build`, or null if it is not installed. */
export function fileOfBuild(folder: string, file: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(`@site/build/${file}`);
  } catch {
    return null;
  }
}
