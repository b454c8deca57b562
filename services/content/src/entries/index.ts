export { canSeeDrafts, isStaged } from './entries.policy.js';
export { addressQuery, collectionParams, entryParams, entryResponseSchema } from './entries.schemas.js';
export { EntryDeps, EntryUrlListener, type EntryUrlChange } from './entry-deps.js';
export type { EntryLock } from './entry-lock.js';
export {
  editedValues,
  knownValues,
  stagedSlug,
  withAllFields,
  withoutNulls,
  type EntryStatus,
  type EntryValues,
} from './entry-row.js';
export { toEntryResponse, type EntryResponse } from './entry.mapper.js';
export { loadEntry, readableRows, withDefinition, type EntryTarget } from './load-entry.js';
export { createContent } from './operations/create-content.js';
export { planPublish, publishContent } from './operations/publish-content.js';
export { missingTargets } from './references/plain-references.js';
export { leaseInterval, lockJson } from './repository/lease-conditions.js';
export { lockEntryGroup } from './repository/lock-entry.js';
export { saveEntry, type CurrentEntry, type EntryChangePlan } from './repository/save-entry.js';
export { changedSharedFields } from './shared-fields.js';
