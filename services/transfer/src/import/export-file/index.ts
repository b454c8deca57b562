export { normaliseEncoding } from './encoding/normalise-encoding.js';
export { ExportFileError } from './export-file-error.js';
export type { ExportAuthor, ExportChannel, ExportTerm } from './reading/export-channel.js';
export type { ExportEvent, ItemPosition } from './reading/export-events.js';
export type { ExportComment, ExportItem, ExportItemTerm, ExportMeta } from './reading/export-item.js';
export type { Namespaces } from './reading/namespaces.js';
export { parseItem } from './reading/parse-item.js';
export { readExport, type ReadOptions } from './reading/read-export.js';
export { MalformedElementError } from './reading/xml-element.js';
