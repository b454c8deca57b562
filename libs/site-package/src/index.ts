export { canonicalDigestOf, digestOf, digestSchema, sha256Of, type Digest } from './digests/digest.js';
export { isInLogicalDigest, logicalBytesOf } from './digests/logical-digest.js';
export { RunningDigest } from './digests/running-digest.js';
export { isDeeperThan } from './format/json-depth.js';
export { packageJsonSchema } from './format/json-schema.js';
export { formatVersion, maxCollections, packageLimits } from './format/limits.js';
export { manifestSchema, packageFileSchema, type DeclaredFile, type Manifest } from './format/manifest.js';
export {
  fileNumberOf,
  indexPath,
  manifestPath,
  mediaPath,
  packageFileAt,
  recordsPath,
  type PackageFile,
} from './format/paths.js';
export {
  keyOf,
  parentProperties,
  recordDefinitions,
  referencesOf,
  type SiteRecord,
} from './records/record-definitions.js';
export type { RecordDefinition } from './records/definitions/define-record.js';
export { settingValues } from './records/definitions/setting-values.js';
export { recordKinds, type RecordKind } from './records/record-kinds.js';
