import { localProvider, resolveMediaItem } from '@quire/content-model';
import { isHttpUrl } from '@quire/values';
import type { RewriteContext } from './rewrite-context.js';

type MediaObject = Record<string, unknown>;

/** A media field, as far as its values depend on it. */
export interface MediaField {
  type: 'image' | 'file';
  allowedMimeTypes: readonly string[] | null;
}

/**
 * Makes an image or file at a former address the item of the library that it was imported as, with the item's metadata
 * (contract 1.6). The alternative text stays. Values of the library are unchanged.
 * @returns the value itself when nothing changes
 */
export function rewriteMediaValue(
  field: MediaField,
  value: unknown,
  path: string,
  context: RewriteContext,
): unknown {
  if (!isObject(value)) return value;
  const rewritten = rewriteSource(field, value, path, context);
  const dark = rewritten['darkVariant'];
  const rewrittenDark = rewriteMediaDark(field, dark, path, context);
  return rewrittenDark === dark ? rewritten : { ...rewritten, darkVariant: rewrittenDark };
}

function rewriteMediaDark(field: MediaField, dark: unknown, path: string, context: RewriteContext): unknown {
  return isObject(dark) ? rewriteSource(field, dark, `${path}.darkVariant`, context) : dark;
}

function rewriteSource(
  field: MediaField,
  value: MediaObject,
  path: string,
  context: RewriteContext,
): MediaObject {
  const { provider = localProvider } = value;
  if (provider === localProvider && value['id']) return value;
  const key = field.type === 'file' && typeof value['url'] === 'string' ? 'url' : 'src';
  const to = context.find(value[key]);
  if (to === undefined) return value;
  const item = context.itemOf(to);
  if (!item) return rewriteExternal(value, { key, to, path }, context);
  const { src: _src, url: _url, ...kept } = value;
  const local: MediaObject = { ...kept, provider: localProvider, id: item.id };
  const problem = resolveMediaItem({ ...field, path, value: local }, item);
  if (problem) {
    context.problems.push(`${path}: ${problem.message}`);
    return value;
  }
  context.count += 1;
  return local;
}

/** Another site's file, or one whose item is not looked up yet: such a value is not kept. */
function rewriteExternal(
  value: MediaObject,
  { key, to, path }: { key: string; to: string; path: string },
  context: RewriteContext,
): MediaObject {
  if (!isHttpUrl(to)) {
    context.problems.push(`${path}: no media item has the address '${to}'`);
    return value;
  }
  context.count += 1;
  return { ...value, [key]: to };
}

const isObject = (value: unknown): value is MediaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
