/**
 * Lets the conformance suite start on Node.js 20: it imports `globSync` of `node:fs`, which Node.js has since 22, for a
 * command that no check here uses.
 */
import { register } from 'node:module';

const filesystem =
  "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";

const hooks = `export async function resolve(specifier, context, next) {
  const isSuite = /conformance\\/dist\\/index\\.js/.test(context.parentURL ?? '');
  if (!isSuite || !/^(node:)?fs$/.test(specifier)) return next(specifier, context);
  return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(filesystem)}`)}, shortCircuit: true };
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
