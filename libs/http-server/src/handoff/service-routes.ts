import { apiPrefix, internalPrefix } from '../bootstrap/paths.js';

/**
 * Which service answers which paths below `/_cms/api`: the longest matching prefix wins. The gateway hands on by it,
 * and a process that holds several services without a gateway tells them apart by it.
 */
const prefixes: readonly (readonly [prefix: string, service: string])[] = [
  ['admin/api-tokens', 'auth'],
  ['admin/bylines', 'content'],
  ['admin/comments', 'content'],
  ['admin/users', 'auth'],
  ['auth', 'auth'],
  ['comments', 'content'],
  ['content', 'content'],
  ['menus', 'content'],
  ['redirects', 'content'],
  ['relations', 'content'],
  ['revisions', 'content'],
  ['schema', 'content'],
  ['sections', 'content'],
  ['settings', 'content'],
  ['setup', 'auth'],
  ['taxonomies', 'content'],
  ['widget-areas', 'content'],
];

/** The service that owns a path, or undefined when none does. */
export function serviceOfPath(path: string): string | undefined {
  if (!path.startsWith(`${apiPrefix}/`)) return undefined;
  const rest = path.slice(apiPrefix.length + 1);
  return prefixes.find(
    ([prefix]) => rest === prefix || rest.startsWith(`${prefix}/`) || rest.startsWith(`${prefix}?`),
  )?.[1];
}

/** The service that a path between services is meant for: `/_cms/api/internal/<service>/…`. */
export function serviceOfInternalPath(path: string): string | undefined {
  return path.startsWith(`${internalPrefix}/`)
    ? path.slice(internalPrefix.length + 1).split('/', 1)[0]
    : undefined;
}
