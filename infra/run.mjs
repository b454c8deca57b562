#!/usr/bin/env node
/** Runs a command of package.json: `node infra/run.mjs COMMAND ARGUMENTS`; see prepare/run-command.mjs. */
import { requireNode } from './prepare/node-version.mjs';

requireNode();
import('./prepare/run-command.mjs')
  .then(({ runCommand }) => runCommand(process.argv[2] ?? '', process.argv.slice(3)))
  .then((code) => process.exit(code));
