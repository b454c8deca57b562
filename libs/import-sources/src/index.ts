export type {
  AnalysisContext,
  ContentContext,
  ContentOptions,
  ExistingField,
  ImportSource,
  ProbeContext,
  RichTextBlock,
  SourceContext,
  SourceInput,
} from './source/import-source.js';
export type {
  AnalysedAttachment,
  AnalysedCustomField,
  AnalysedType,
  Analysis,
  MediaKind,
} from './source/analysis.js';
export { ImportSourceError } from './source/import-source-error.js';
export { findSourceMistakes, type SourceIssue } from './source/check-import-sources.js';
export { builtInSourceIds } from './source/source-id.js';
export {
  matchSchema,
  suggestedActionSchema,
  type Match,
  type MatchInput,
  type SuggestedAction,
} from './match/match.js';
export { plainText } from './match/plain-text.js';
export { isItemFault, parseItem, type Item, type ItemFault, type ItemInput } from './item/item.js';
export { fetchItems } from './item/fetch-items.js';
export { hostedApiOrigin, legacyCom, type HostedApplication } from './built-in/legacy-com.js';
export { legacyRest } from './built-in/legacy-rest.js';
export { exportInstructions } from './built-in/probe-only.js';
export type { ProbeTimeouts } from './built-in/site-root.js';
