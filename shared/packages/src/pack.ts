import { buildPackages } from './build-packages.ts';
import { CompileError } from './compile.ts';
import { publishedPackages } from './workspace.ts';

const packages = publishedPackages();
try {
  await buildPackages(packages);
  for (const { folder, packageJson } of packages)
    process.stdout.write(`${packageJson.name}@${packageJson.version}  ${folder}/dist\n`);
} catch (error) {
  if (!(error instanceof CompileError)) throw error;
  process.stderr.write(`The packages cannot be built:\n${error.message}`);
  process.exitCode = 1;
}
