export { normaliseEncoding } from './encoding/normalise-encoding.js';
export { ExportFileError } from './export-file-error.js';
export type { ExportAuthor, ExportChannel, ExportTerm } from './reading/export-channel.js';
export type { ExportEvent, ItemPosition } from './reading/export-events.js';
export type { ExportComment, ExportItem, ExportItemTerm, ExportMeta } from './reading/export-item.js';
export type { Namespaces } from './reading/namespaces.js';
export { parseItem } from './reading/parse-item.js';
export { readExport, type ReadOptions } from './reading/read-export.js';
export { MalformedElementError } from './reading/xml-element.js';
export { attachmentOf, type SourceAttachment } from './items/attachments.js';
export { authorName } from './items/authors.js';
export { commentStatusOf } from './items/comments.js';
export { commentDate, sourceDates, type ItemDates, type SourceDates } from './items/dates.js';
export { languageOf, type SourceLanguage } from './items/languages.js';
export { attachmentCategory, mimeTypeOfName, type AttachmentCategory } from './items/media-types.js';
export { menuItemOf, type MenuItemKind, type SourceMenuItem } from './items/menu-items.js';
export { OffsetSamples, type SerialisedOffsets } from './items/offset-samples.js';
export {
  collectionLabel,
  contentKindOf,
  isInternalType,
  sanitisedCollection,
  suggestedCollection,
  type ContentKind,
} from './items/post-types.js';
export { decodeSlug, sourceSlug, termSlug } from './items/slug.js';
export { targetStatus, type StatusWarning, type TargetStatus } from './items/status.js';
export { isContentTaxonomy, taxonomyName } from './items/taxonomies.js';
export {
  assignmentsOf,
  declaredMenu,
  declaredTerm,
  type DeclaredMenu,
  type DeclaredTerm,
  type TermAssignment,
} from './items/terms.js';
export { cleanTitle, plainText } from './items/title.js';
export { metaByKey, metaFieldValue, type FieldValue } from './meta/field-values.js';
export { featuredImageKey, fieldSlugOf, isFieldKey, isInternalKey, isNoiseKey } from './meta/meta-keys.js';
export { fieldTypeOf, MetaTypeJudge, type CustomField, type SuggestedType } from './meta/meta-type-judge.js';
export { isSerialised, readMetaValue, type JsonValue } from './meta/meta-value.js';
