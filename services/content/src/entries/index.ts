export { changeEntry, loadEntry, withDefinition, type Decision, type EntryTarget } from './change-entry.js';
export { EntriesController } from './entries.controller.js';
export { isStaged, seesDrafts } from './entries.policy.js';
export {
  addressQuery,
  collectionParams,
  entryAnswerSchema,
  entryParams,
  pageQuery,
  storableText,
} from './entries.schemas.js';
export { entryAnswer, type EntryAnswer } from './entry-answer.js';
export { knownValues, type EntryRow, type EntryValues } from './entry-row.js';
export { EntryServices } from './entry-services.js';
export { goLive } from './operations/publish-entry.js';
export { pagePosition } from './statements/page-position.js';
export { changedSharedFields } from './synchronised-fields.js';
