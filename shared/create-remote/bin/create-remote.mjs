#!/usr/bin/env node
// `npm create @site/remote` in an empty folder.
import { createRemote } from '../src/create-remote.ts';

process.exitCode = await createRemote(process.argv.slice(2), process.cwd());
