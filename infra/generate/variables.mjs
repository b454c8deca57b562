import { variableReference } from '../../libs/config/dist/index.js';

const head = `# Environment variables

Generated from \`libs/config/src/env/variables.ts\` by \`npm run docs:variables\`; a test compares the two.

`;
const tail = `
Login providers read variables of their own, named after the provider: [identity](identity.md#login-providers).
`;

/** The page of environment variables. */
export function variables() {
  return head + variableReference() + tail;
}
