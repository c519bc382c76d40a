import { buildPackages } from './build-packages.ts';
import { CompileError } from './compile.ts';
import { NpmError } from './npm.ts';
import { publishPackages, PublishRefused } from './publish-packages.ts';
import { publishedPackages } from './workspace.ts';

/**
 * `npm run packages:publish`: builds and publishes all packages. Arguments after `--` are passed to `npm
 * publish`.
 */
const packages = publishedPackages();
try {
  await buildPackages(packages);
  for (const { name, version, result } of await publishPackages(packages, process.argv.slice(2), process.env))
    process.stdout.write(`${name}@${version}  ${result}\n`);
} catch (error) {
  if (!(error instanceof CompileError || error instanceof NpmError || error instanceof PublishRefused))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
