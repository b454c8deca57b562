import type { SourceBlock } from '../block-tree.js';
import { numberOf } from '../html/images.js';

/** A text attribute that is not blank. */
export function textAttribute({ attributes }: SourceBlock, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** An attribute that is an address. The editor may have escaped its `&`, as in HTML. */
export const addressAttribute = (block: SourceBlock, name: string): string | undefined =>
  textAttribute(block, name)
    ?.trim()
    .replace(/&(?:amp|#0?38);/g, '&');

/** An attribute that is the id of an item of the source, as number or text. */
export function idAttribute({ attributes }: SourceBlock, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' || typeof value === 'string' ? numberOf(String(value)) : undefined;
}

/** Rich text is stored to a limited depth. */
const maxAttributeDepth = 16;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeperThan(each, depth - 1));
}

/** Whether the attributes of a block can be part of rich text. */
export const areStorable = ({ attributes, hasBrokenAttributes }: SourceBlock): boolean =>
  !hasBrokenAttributes && !isDeeperThan(attributes, maxAttributeDepth);
