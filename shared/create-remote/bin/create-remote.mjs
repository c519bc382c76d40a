#!/usr/bin/env node
import { createRemote } from '../src/create-remote.ts';

process.exitCode = await createRemote(process.argv.slice(2), process.cwd());
