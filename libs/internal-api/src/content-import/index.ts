export * from './classification.js';
export * from './entries.js';
export * from './runs.js';
export {
  maxImportBodyBytes,
  maxImportedItems,
  type ImportRun,
  type ImportWarning,
  type KnownMedia,
  type SourceKey,
} from './schemas.js';
export * from './site-parts.js';
