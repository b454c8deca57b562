export * as authApi from './auth.js';
export * as contentApi from './content.js';
export * as contentImportApi from './content-import/index.js';
export * as mediaApi from './media.js';
export {
  listSiteMediaFiles,
  listSiteMediaObjects,
  maxSiteMediaFiles,
  maxWrittenBytes,
  maxWrittenRecords,
  recordOwnerOf,
  recordOwners,
  siteRecords,
  type RecordOwner,
} from './site-records.js';
export {
  type CallInput,
  type InternalOperation,
  type RequestOf,
  type ResponseOf,
} from './declare-internal-operation.js';
