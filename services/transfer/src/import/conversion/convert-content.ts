import { hasBlocks, parseBlocks, storableText, type SourceBlock } from './block-tree.js';
import { buttonBlocks } from './blocks/buttons.js';
import { convertBlock, type BlockConverter, type BlockConverters } from './blocks/block-helpers.js';
import { convertEmbed, mediaBlocks } from './blocks/media-blocks.js';
import { layoutBlocks } from './blocks/layout-blocks.js';
import { convertUnknown, sourceBlocks } from './blocks/source-blocks.js';
import { textBlocks } from './blocks/text-blocks.js';
import { Conversion, type ConversionContext, type ConversionWarning } from './conversion-context.js';
import { footnoteBlocks } from './footnotes.js';
import type { Place } from './html/fragment.js';
import { countMediaReferences, withKeys, type Block, type PortableTextBlock } from './portable-text.js';
import { convertClassic } from './shortcodes/classic.js';
import { SiteLinks } from './site-links.js';

export interface ConvertedContent {
  blocks: PortableTextBlock[];
  warnings: ConversionWarning[];
  /** The number of media files that the blocks refer to. */
  mediaReferences: number;
}

/** The converters of the blocks of the source platform, by name with namespace. */
export const blockConverters: BlockConverters = new Map([
  ...textBlocks,
  ...mediaBlocks,
  ...layoutBlocks,
  ...buttonBlocks,
  ...sourceBlocks,
]);

const top: Place = { style: 'normal', isClassic: false, blockDepth: 1, containerDepth: 0 };

/**
 * Converts a body of the legacy platform, with block markup or classic HTML, to rich text (contract section 3). All
 * text stays: what has no form in rich text becomes an `htmlBlock`. The same input gives the same blocks.
 * @param source the body, decoded from the export file
 * @param converters by name with namespace; a converter for a further block is added as
 *   `new Map([...blockConverters, ['vendor/box', convertBox]])`
 */
export function convertContent(
  source: string,
  context: ConversionContext,
  converters: BlockConverters = blockConverters,
): ConvertedContent {
  const conversion = new Conversion(context, new SiteLinks(context.siteUrl));
  const text = storableText(source);
  const body = hasBlocks(text)
    ? convertParts(parseBlocks(text), conversion, converters)
    : convertClassic(text, top, conversion);
  const blocks = withKeys([...body, ...footnoteBlocks(conversion)]);
  return { blocks, warnings: conversion.warnings, mediaReferences: countMediaReferences(blocks) };
}

function convertParts(
  parts: readonly (string | SourceBlock)[],
  conversion: Conversion,
  converters: BlockConverters,
): Block[] {
  // Old embeds have a block name for each service.
  const converterOf = (name: string): BlockConverter =>
    converters.get(name) ?? (name.startsWith('core-embed/') ? convertEmbed : convertUnknown);
  return parts.flatMap((part) => {
    if (typeof part === 'string') return part.trim() === '' ? [] : convertClassic(part, top, conversion);
    return convertBlock(part, top, conversion, converterOf);
  });
}
