// npm run docs:variables: writes docs/variables.md from what libs/config declares. A test compares the two.
import { writeFileSync } from 'node:fs';
import { variableReference } from '../libs/config/dist/index.js';

const head =
  '# Environment variables\n\nGenerated from `libs/config/src/env/variables.ts` by `npm run docs:variables`; a test compares the two.\n\n';
const tail =
  '\nLogin providers read variables of their own, named after the provider: [identity](identity.md#login-providers).\n';
writeFileSync(new URL('../docs/variables.md', import.meta.url), head + variableReference() + tail);
