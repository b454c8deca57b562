import type { Context } from '@quire/context';
import { beginSnapshot } from '@quire/database';
import { toBlockTypeResponse, type BlockTypeResponse } from './block-types/block-type.mapper.js';
import { selectBlockTypes } from './block-types/block-types.repository.js';
import { toCollectionResponse, type CollectionResponse } from './collections/collection.mapper.js';
import { panelOrder, selectCollections } from './collections/collections.repository.js';
import { toBaseFieldResponse, type FieldResponse } from './fields/field.mapper.js';
import { selectAllFields } from './fields/fields.repository.js';
import { selectRelations, type StoredRelation } from './relations/relations.repository.js';

/** The schema of a site. */
export interface SiteSchema {
  /** In the order of the panel, with their fields in display order. */
  collections: (CollectionResponse & { fields: FieldResponse[] })[];
  /** By label. */
  blockTypes: BlockTypeResponse[];
  /** By slug. */
  relations: Omit<StoredRelation, 'madeByField'>[];
}

/** @returns the whole schema of a site as of one moment, in four statements. */
export async function readSiteSchema(ctx: Context): Promise<SiteSchema> {
  return ctx.db.transaction(async (tx) => {
    await beginSnapshot(tx);
    const collections = await selectCollections(tx, panelOrder);
    const fields = new Map(collections.map(({ id }): [string, FieldResponse[]] => [id, []]));
    for (const field of await selectAllFields(tx))
      fields.get(field.collectionId)?.push(toBaseFieldResponse(field));
    return {
      collections: collections.map((collection) => ({
        ...toCollectionResponse(collection),
        fields: fields.get(collection.id) ?? [],
      })),
      blockTypes: (await selectBlockTypes(tx)).map(toBlockTypeResponse),
      relations: (await selectRelations(tx, undefined)).map(
        ({ madeByField: _internal, ...relation }) => relation,
      ),
    };
  });
}
