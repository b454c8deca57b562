import { shortened } from '../conversion-context.js';
import { htmlBlock } from '../portable-text.js';
import { convertClassic, convertShortcode, shortcodeBlockName } from '../shortcodes/classic.js';
import { idAttribute } from './attributes.js';
import type { BlockConverter } from './block-helpers.js';
import { sourceBlock } from './source-block.js';

const convertHtml: BlockConverter = ({ name, innerSource }) => {
  const html = innerSource.trim();
  return html === '' ? [] : [htmlBlock(html, { name })];
};

const convertShortcodeBlock: BlockConverter = ({ innerSource }, { place, conversion }) => {
  const text = innerSource.trim();
  if (text === '') return [];
  const known = convertShortcode(text, place, conversion);
  return known ?? [htmlBlock(text, { name: shortcodeBlockName })];
};

/** A reference to a reusable block, which is a section here. */
const convertReference: BlockConverter = (block, { conversion }) => {
  const id = idAttribute(block, 'ref');
  const slug = id === undefined ? undefined : conversion.context.sectionSlug(id);
  if (slug !== undefined) return [{ _type: 'section', slug }];
  conversion.warn('SECTION_MISSING', `The reusable block ${id ?? 'without an id'} is not known.`);
  return [sourceBlock(block)];
};

/** A block of the classic editor. */
const convertFreeform: BlockConverter = ({ parts }, helpers) =>
  parts.flatMap((part) => {
    if (typeof part !== 'string') return helpers.convertInner(part);
    return part.trim() === '' ? [] : convertClassic(part, helpers.place, helpers.conversion);
  });

/** The notes follow the body, where they are known. */
const convertFootnotes: BlockConverter = (block, { conversion }) =>
  conversion.context.footnotes === undefined ? [sourceBlock(block)] : [];

/** A block without a converter: its inner blocks take its place; without such, its source stays. */
export const convertUnknown: BlockConverter = (block, helpers) => {
  const hasInnerBlocks = block.parts.some((part) => typeof part !== 'string');
  if (!hasInnerBlocks) return convertDynamic(block, helpers);
  const attributes = Object.keys(block.attributes);
  const lost =
    attributes.length === 0 ? '' : ` Its attributes are left out: ${shortened(attributes.join(', '))}.`;
  helpers.conversion.warn('BLOCK_UNKNOWN', `The block '${block.name}' has no equivalent.${lost}`);
  return helpers.content();
};

/** A block that the source fills when it is shown: its inner blocks are a template. */
const convertDynamic: BlockConverter = (block, { conversion }) => {
  conversion.warn('BLOCK_UNKNOWN', `The block '${block.name}' has no equivalent.`);
  return [sourceBlock(block)];
};

/** Blocks that are HTML, shortcodes or references (contract section 3.2). */
export const sourceBlocks: readonly (readonly [string, BlockConverter])[] = [
  ['core/html', convertHtml],
  ['core/shortcode', convertShortcodeBlock],
  ['core/block', convertReference],
  ['core/freeform', convertFreeform],
  ['core/missing', convertFreeform],
  ['core/footnotes', convertFootnotes],
  ['core/query', convertDynamic],
];
