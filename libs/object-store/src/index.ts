export { connectObjectStore, type ObjectStoreOptions } from './connect.js';
export { deletePrefix } from './port/delete-prefix.js';
export type {
  ByteRange,
  ObjectStore,
  OpenedObject,
  PutOptions,
  SignedUpload,
  StoredObject,
  UploadConstraints,
} from './port/object-store.js';
export {
  BadObjectKey,
  ObjectNotFound,
  ObjectSizeMismatch,
  ObjectStoreFull,
  ObjectStoreUnavailable,
  ObjectTooLarge,
} from './port/object-store-errors.js';
export { fingerprintStream, type StreamFingerprint } from './fingerprint/fingerprint-stream.js';
