export { TenantByteCache, type TenantByteCacheOptions } from './cache/tenant-byte-cache.js';
export { TenantCache, type TenantCacheOptions } from './cache/tenant-cache.js';
export { ServiceDatabases, type ServiceDatabasesOptions } from './connection/service-databases.js';
export { copySite, type CopiedSite } from './moving/copy-site.js';
export { advanceSequences, missingMigrations, moveTenantRows } from './moving/tenant-rows.js';
export { guardWrites, liftWriteGuard, sealWrites, type WriteGuard } from './moving/write-guard.js';
export {
  ensureSchema,
  incompleteTenants,
  migrateRegistry,
  migrateShared,
  migrateTenant,
  removeTenant,
  type ObjectKeyColumn,
  type Reconcile,
  type ReconcileOptions,
  type Repairs,
  type ServiceTables,
} from './provisioning/provisioning.js';
export { dropFormerSite, hasTables, replaceSite } from './provisioning/replace-site.js';
export { siteStatements } from './provisioning/site-definition.js';
export {
  beginPurge,
  cancelDeletion,
  endPurge,
  scheduleDeletion,
  selectDuePurges,
  type PendingDeletion,
  type PurgeCondition,
} from './registry/deletions.js';
export {
  listOperatorActions,
  recordOperatorAction,
  selectOperatorActionPage,
  type OperatorAction,
  type RecordedOperatorAction,
} from './registry/operator-actions.js';
export {
  createOperatorToken,
  deleteOperatorToken,
  findOperatorById,
  findOperatorByToken,
  listOperatorTokens,
  operatorRoles,
  touchOperatorToken,
  type ListedOperatorToken,
  type Operator,
  type OperatorRole,
} from './registry/operator-tokens.js';
export { assertNotSuspended, type Suspensions } from './registry/suspension.js';
export {
  deleteQueuePause,
  everyQueue,
  insertQueuePause,
  listQueuePauses,
  type QueuePause,
} from './registry/queue-pauses.js';
export {
  deleteProcess,
  hasPresentRegistry,
  listProcesses,
  recordProcess,
  type ProcessDescription,
  type RecordedProcess,
} from './registry/processes.js';
export { assertNotReadOnly, type ReadOnlyReason, type ReadOnlyReasons } from './registry/read-only-reason.js';
export {
  insertBreakingMigrations,
  recordSiteFailure,
  recordSiteVersion,
  selectBreakingMigrations,
  selectSiteVersions,
  servicesBehind,
  type BreakingMigration,
  type RecordedVersion,
  type SiteVersion,
} from './registry/site-versions.js';
export { lockSiteOptions, updateSiteOptions, type SiteOptions } from './registry/site-options.js';
export { installationHosts, siteOrigin, type PublicAddress } from './registry/site-origin.js';
export {
  endMove,
  recordMoveError,
  recordMoveStep,
  requestMove,
  selectRequestedMove,
  type MoveRequest,
  type RequestedMove,
} from './registry/moves.js';
export { presentIdOf, renameTenant, storageIdOf, type Rename } from './registry/renames.js';
export { checkRegistration } from './registry/registration.js';
export { registrySchema, TenantRegistry, type WithinChange } from './registry/tenant-registry.js';
export {
  findTenantDetails,
  selectTenantDetails,
  selectTenantPage,
  tenantStates,
  type TenantDetails,
  type TenantState,
} from './registry/tenant-details.js';
export { selectTenantDatabase, updateTenantDatabase, updateTenantMove } from './registry/tenant-database.js';
export {
  defaultTenantId,
  isDatabaseKey,
  isHostName,
  isTenantId,
  maxUploadBytesOf,
  sharedSchema,
  tenantSchema,
  type NewTenant,
  type Tenant,
} from './registry/tenant.js';
