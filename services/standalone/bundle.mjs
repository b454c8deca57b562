#!/usr/bin/env node
/**
 * Bundles the built programs, and the composition root for programs of others, into dist/bundle. Processes start from
 * there: Node.js spends most of a start on finding, reading and compiling thousands of modules one by one.
 */
import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('dist/', import.meta.url));
const outdir = `${folder}bundle`;

/** Imported from node_modules. */
const external = [
  // native code
  'sharp',
  // requires its drivers and, as a CommonJS module without static names, its parts by computed names
  'typeorm',
  'jsonc-parser',
  // the dashboard, loaded by its first visitor; it finds its files beside itself
  '@bull-board/api',
  // starts a thread with the path of a module
  'pino',
  // optional parts that are not installed
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  'class-transformer',
  'class-validator',
  'pg-native',
];

/**
 * Files that a module finds beside itself stay where they are.
 * @type {import('esbuild').Plugin}
 */
const addressesOfModules = {
  name: 'addresses-of-modules',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/(libs|services)\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const address = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', address) };
    }),
};

/**
 * The site's configuration imports the login providers from node_modules: both must have the same class of errors.
 * @type {import('esbuild').Plugin}
 */
const sharedErrors = {
  name: 'shared-errors',
  setup: (bundler) =>
    bundler.onResolve({ filter: /\/login-provider-error\.js$/ }, () => ({
      path: '@quire/login-providers/error',
      external: true,
    })),
};

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['main', 'cms', 'index'].map((name) => `${folder}${name}.js`),
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // names of classes identify modules and providers
  keepNames: true,
  // 20 MB less memory a process; the source maps lead to the lines
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  external,
  plugins: [addressesOfModules, sharedErrors],
  // CommonJS modules require those of Node.js
  banner: {
    js: "import * as module from 'node:module'; const require = module.createRequire(import.meta.url);",
  },
});
