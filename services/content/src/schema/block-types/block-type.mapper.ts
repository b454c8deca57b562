import type { StoredBlockType, StoredBlockTypeVersion } from './block-types.repository.js';

/** A version of a block type in responses (contract 6). */
export type BlockTypeVersionResponse = StoredBlockTypeVersion & {
  /** Whether new blocks get this version. */
  active: boolean;
};

/** A block type in responses, with all its versions, oldest first (contract 6). */
export type BlockTypeResponse = Omit<StoredBlockType, 'description' | 'icon' | 'category' | 'versions'> & {
  description?: string;
  icon?: string;
  category?: string;
  versions: BlockTypeVersionResponse[];
};

/** Optional texts that are not set are absent from the response. */
export function toBlockTypeResponse({
  description,
  icon,
  category,
  versions,
  ...type
}: StoredBlockType): BlockTypeResponse {
  return {
    ...type,
    ...(description === null ? {} : { description }),
    ...(icon === null ? {} : { icon }),
    ...(category === null ? {} : { category }),
    versions: versions.map((version) => ({ ...version, active: version.version === type.currentVersion })),
  };
}
