import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transform, type Options } from '@swc/core';

const root = new URL('../../../../', import.meta.url);
const swcrc = new URL('.swcrc', root);
const { $schema: _, ...options } = JSON.parse(await readFile(swcrc, 'utf8')) as Options & { $schema: string };
const globals = new URL('globals.js', import.meta.url).href;

/** The TypeScript file of a specifier that names its compiled file. */
function toSource(specifier: string, parent: URL): URL | undefined {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js') || !parent.pathname.endsWith('.ts')) return;
  const source = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, parent);
  return existsSync(source) ? source : undefined;
}

/** Whether a module belongs to tests. It is loaded again for each test file: it may register hooks, and keep state. */
const isOfTests = ({ pathname }: URL) =>
  pathname.startsWith(`${root.pathname}tests/`) || /\.(?:fixture|conformance)\.ts$/.test(pathname);

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  if (context.parentURL === undefined) return nextResolve(specifier, context);
  const parent = new URL(context.parentURL);
  const source = toSource(specifier, parent);
  if (!source) return nextResolve(specifier, context);
  if (isOfTests(source)) source.search = parent.search;
  return { url: source.href, format: 'module', shortCircuit: true };
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const { pathname } = new URL(url);
  if (!pathname.endsWith('.ts')) return nextLoad(url, context);
  const filename = fileURLToPath(url);
  const source = await readFile(filename, 'utf8');
  const { code } = await transform(source, { ...options, filename, swcrc: false, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
};
