// npm run generate: writes the committed files that follow from what the built code declares.
// npm run generate -- routes            writes one of them
// npm run generate -- --check           writes nothing, and exits 1 with one line for each file that is not current
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);

/** Path of each file, and its text. Modules are loaded when they are needed: they load what they describe. */
const files = {
  routes: {
    path: 'services/gateway/src/routing/routes.generated.ts',
    text: async (path) => (await import('./generate/routes.mjs')).routes(path),
  },
  targets: {
    path: 'services/standalone/targets.json',
    text: async (path) => (await import('./generate/targets.mjs')).targets(path),
  },
  variables: {
    path: 'docs/variables.md',
    text: async () => (await import('./generate/variables.mjs')).variables(),
  },
};

const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const names = args.filter((arg) => arg !== '--check');
const unknown = names.filter((name) => !Object.hasOwn(files, name));
if (unknown.length > 0) {
  console.error(`No such file: ${unknown.join(', ')}. There are: ${Object.keys(files).join(', ')}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(files)) {
  const path = fileURLToPath(new URL(files[name].path, root));
  const text = await files[name].text(path);
  if (readFileSync(path, 'utf8') === text) continue;
  if (isCheck) {
    console.error(`${files[name].path} is not current: npm run generate -- ${name}`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
    console.log(`${files[name].path} is written`);
  }
}
