export { blockConverters, convertContent, type ConvertedContent } from './convert-content.js';
export type { BlockConverter, BlockConverters, BlockHelpers } from './blocks/block-helpers.js';
export type { SourceBlock } from './block-tree.js';
export type {
  ConversionContext,
  ConversionWarning,
  ConversionWarningCode,
  SourceAttachment,
} from './conversion-context.js';
export { multilineText } from './html/multiline-text.js';
export { countMediaReferences, type PortableTextBlock } from './portable-text.js';
export { SiteLinks } from './site-links.js';
