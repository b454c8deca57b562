import { dirname, join, relative, sep } from 'node:path';

const serviceSource = /(?:^|\/)services\/([^/]+)\/src\/(.+)$/;

/**
 * services/content/src/entries/operations/x.ts -> { service: 'content', resource: 'entries', rest: 'operations/x.ts' }
 */
function place(file) {
  const [, service, path] = serviceSource.exec(file) ?? [];
  if (!service) return undefined;
  const [resource, ...rest] = path.split('/');
  return rest.length === 0 ? undefined : { service, resource, rest: rest.join('/') };
}

/**
 * ESLint rule: a resource folder of a service reaches another one through its index.ts only. Files directly under
 * src/ (the module that wires the service) may name any file.
 */
export const resourceEntryPoint = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      entryPoint: 'Import "{{resource}}" through its index: {{entryPoint}} is what other resources may use.',
    },
  },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const here = place(file);
    if (!here) return {};

    const check = (source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const there = place(join(dirname(file), source.value).split(sep).join('/'));
      if (!there || there.service !== here.service || there.resource === here.resource) return;
      if (there.rest === 'index.js') return;
      const entryPoint = `services/${there.service}/src/${there.resource}/index.ts`;
      context.report({
        node: source,
        messageId: 'entryPoint',
        data: { resource: there.resource, entryPoint },
      });
    };

    return {
      ImportDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};
