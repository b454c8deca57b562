import { recordsOf, type RecordSource } from '@quire/site-records';
import { MediaFolder } from '../folders/index.js';
import { MediaItem } from '../items/index.js';

/** The media library as records: ready items only, since declared uploads have no bytes. */
export const recordSources: readonly RecordSource[] = [
  recordsOf('media_folders', MediaFolder),
  recordsOf('media_items', MediaItem, {
    where: "t.status = 'ready' AND t.sha256 IS NOT NULL AND t.object_key IS NOT NULL",
  }),
];
