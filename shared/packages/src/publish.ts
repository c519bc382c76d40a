import { buildPackages } from './build-packages.ts';
import { CompileError } from './compile.ts';
import { NpmError, publishingEnv } from './npm.ts';
import { publishPackages, PublishRefused } from './publish-packages.ts';
import { publishedPackages } from './workspace.ts';

/**
 * `npm run packages:publish`: builds all packages and publishes them to the site's registry (`SITE_REGISTRY`,
 * `SITE_TOKEN`), or to npm's configured one. Arguments after `--` are passed to `npm publish`.
 */
const packages = publishedPackages();
try {
  await buildPackages(packages);
  for (const { name, version, result } of await publishPackages(
    packages,
    process.argv.slice(2),
    publishingEnv(process.env),
  ))
    process.stdout.write(`${name}@${version}  ${result}\n`);
} catch (error) {
  if (!(error instanceof CompileError || error instanceof NpmError || error instanceof PublishRefused))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
