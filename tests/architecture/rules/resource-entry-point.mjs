import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

const serviceSource = /^services\/[^/]+\/src\//;

/** The folders of a service that a file lies in, the innermost first: `services/content/src/site/menus`, … */
function foldersOf(file) {
  const [source] = serviceSource.exec(file) ?? [];
  const folders = [];
  for (let folder = dirname(file); source && `${folder}/`.length > source.length; folder = dirname(folder))
    folders.push(folder);
  return folders;
}

/**
 * ESLint rule: a resource is a folder of a service with an index.ts. Files outside it import nothing but that index.
 * Files directly under src/ (the module that wires the service) may import any file.
 */
export const resourceEntryPoint = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      entryPoint: 'Import {{entryPoint}}: other resources may use nothing else of that folder.',
    },
  },
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    if (foldersOf(file).length === 0) return {};

    const isOutside = (folder) => !file.startsWith(`${folder}/`);
    const hasIndex = (folder) => existsSync(join(context.cwd, folder, 'index.ts'));

    const check = (source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const imported = join(dirname(file), source.value).split(sep).join('/');
      const resource = foldersOf(imported).find((folder) => isOutside(folder) && hasIndex(folder));
      if (!resource || imported === `${resource}/index.js`) return;
      context.report({ node: source, messageId: 'entryPoint', data: { entryPoint: `${resource}/index.ts` } });
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
