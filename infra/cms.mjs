#!/usr/bin/env node
/** `npm run -s cms -- …`: Quire's commands; see supervisor/command.mjs. */
import { fileURLToPath } from 'node:url';
import { requireNode } from './prepare/node-version.mjs';

requireNode();
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const root = fileURLToPath(new URL('..', import.meta.url));
Promise.all([import('./supervisor/command.mjs'), import('./supervisor/application.mjs')])
  .then(([{ command }, { standalone }]) =>
    command({ root, app: standalone(root), args: process.argv.slice(2) }),
  )
  .then((code) => process.exit(code));
