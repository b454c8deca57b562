import type { SourceBlock } from '../block-tree.js';
import { numberOf } from '../html/images.js';

/** A text attribute that is not blank. */
export function textAttribute({ attributes }: SourceBlock, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** An attribute that is the id of an item of the source, as number or text. */
export function idAttribute({ attributes }: SourceBlock, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' || typeof value === 'string' ? numberOf(String(value)) : undefined;
}

/** How deep the objects and lists of a value are inside each other. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Rich text is stored to a limited depth. */
const maxAttributeDepth = 16;

/** Whether the attributes of a block can be part of rich text. */
export const areStorable = ({ attributes, hasBrokenAttributes }: SourceBlock): boolean =>
  !hasBrokenAttributes && depthOf(attributes) <= maxAttributeDepth;
