import { localProvider } from '@quire/content-model';
import type { RewriteContext } from './rewrite-context.js';
import { rewriteHtml } from './rewrite-html.js';

type Node = Record<string, unknown>;

/** Rich text is not nested deeper; what is deeper stays as it is. */
const maxDepth = 100;
/** Texts that readers see, and names: no addresses of files that a page loads or links to. */
const textKeys: ReadonlySet<string> = new Set(['_type', '_key', '_ref', 'text', 'code', 'alt', 'caption']);

/**
 * Replaces addresses of files in rich text, in blocks of any type: images become items of the library, HTML is
 * rewritten, and so are all other properties (links, covers, files, embeds, buttons, attributes of unknown
 * blocks; contract 1.6). Texts stay.
 * @returns the value itself when nothing changes
 */
export function rewriteRichText(value: unknown, context: RewriteContext, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return rewriteList(value as unknown[], context, depth);
  return isNode(value) ? rewriteNode(value, context, depth) : value;
}

function rewriteList(list: unknown[], context: RewriteContext, depth: number): unknown[] {
  const rewritten = list.map((item) =>
    typeof item === 'string' ? context.inText(item) : rewriteRichText(item, context, depth + 1),
  );
  return rewritten.some((item, index) => item !== list[index]) ? rewritten : list;
}

function rewriteNode(node: Node, context: RewriteContext, depth: number): Node {
  const image = isNode(node['asset']) ? rewriteAsset(node, node['asset'], context) : node;
  let rewritten = image;
  for (const [key, value] of Object.entries(image)) {
    if (key === 'asset' && isNode(value)) continue;
    const changed = rewriteProperty(key, value, context, depth);
    if (changed !== value) rewritten = { ...rewritten, [key]: changed };
  }
  return rewritten;
}

function rewriteProperty(key: string, value: unknown, context: RewriteContext, depth: number): unknown {
  if (typeof value !== 'string') return rewriteRichText(value, context, depth + 1);
  if (textKeys.has(key)) return value;
  if (key === 'html') {
    const { text, count } = rewriteHtml(value, context.urls);
    context.count += count;
    return text;
  }
  return context.inText(value);
}

/** The asset of an image names a media item, so that the usage index counts it; its address may be its reference. */
function rewriteAsset(node: Node, asset: Node, context: RewriteContext): Node {
  const to = context.find(asset['url']) ?? context.find(asset['_ref']);
  if (to === undefined) return node;
  context.count += 1;
  const item = context.itemOf(to);
  if (!item) {
    const isAddress = context.find(asset['_ref']) !== undefined;
    return { ...node, asset: { ...asset, url: to, ...(isAddress && { _ref: to }) } };
  }
  const rewritten = { ...node, asset: withoutForeignProvider({ ...asset, url: to, _ref: item.id }) };
  return withoutForeignProvider(rewritten);
}

/** An image of another provider is no item of the library. */
function withoutForeignProvider(node: Node): Node {
  const { provider = localProvider, ...kept } = node;
  return provider === localProvider ? node : kept;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
