import type { SourceBlock } from '../block-tree.js';
import { htmlBlock, type Block } from '../portable-text.js';
import { areStorable } from './attributes.js';

/**
 * A block with the source of another that has no form in rich text: its HTML; the whole source where the HTML is empty
 * or the attributes cannot be stored. Name, attributes and HTML restore the source.
 */
export function sourceBlock(block: SourceBlock): Block {
  const { name, attributes, source, innerSource } = block;
  if (!areStorable(block)) return htmlBlock(source.trim(), { name });
  const html = innerSource.trim();
  return htmlBlock(html === '' ? source.trim() : html, { name, attributes });
}
