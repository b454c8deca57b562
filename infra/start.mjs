#!/usr/bin/env node
/** `npm start`: installs, builds and runs Quire; see supervisor/supervise.mjs. */
import { fileURLToPath } from 'node:url';
import { requireNode } from './prepare/node-version.mjs';

requireNode();
// a reader that went away (a killed terminal, a test) is no reason to fall over
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const root = fileURLToPath(new URL('..', import.meta.url));
Promise.all([import('./supervisor/supervise.mjs'), import('./supervisor/application.mjs')])
  .then(([{ supervise }, { standalone }]) =>
    supervise({ root, app: standalone(root), args: process.argv.slice(2) }),
  )
  .then((code) => process.exit(code));
