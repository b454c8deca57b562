import { MediaFolder } from './folders/index.js';
import { MediaFileChanges, MediaItem } from './items/index.js';
import { UsageCoverage, UsageEntryRow, UsageSource } from './usage/index.js';
import { MediaVariant } from './variants/index.js';

/** Tables of a tenant, as the migrations are held against them. */
export const mediaEntities = [
  MediaFolder,
  MediaItem,
  MediaFileChanges,
  MediaVariant,
  UsageEntryRow,
  UsageSource,
  UsageCoverage,
];
