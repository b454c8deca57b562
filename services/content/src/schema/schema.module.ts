import { ResourceModule } from '@quire/operation';
import { BlockType, BlockTypeVersion } from './block-types/block-type.entity.js';
import { BlockTypesController } from './block-types/block-types.controller.js';
import { BlockTypeTools } from './block-types/block-types.tools.js';
import { Collection } from './collections/collection.entity.js';
import { CollectionsController } from './collections/collections.controller.js';
import { CollectionTools } from './collections/collections.tools.js';
import { ChangeCounter } from './content-changes/change-counter.entity.js';
import { EntryCount } from './entry-counts/entry-count.entity.js';
import { Field } from './fields/field.entity.js';
import { FieldsController } from './fields/fields.controller.js';
import { FieldTools } from './fields/fields.tools.js';
import { OrphanedTablesController } from './orphaned-tables/orphaned-tables.controller.js';
import { ReferenceLink, Relation } from './relations/relation.entity.js';
import { RelationsController } from './relations/relations.controller.js';
import { SchemaInternalController } from './schema.internal.controller.js';

@ResourceModule({
  controllers: [
    BlockTypesController,
    CollectionsController,
    FieldsController,
    OrphanedTablesController,
    RelationsController,
    SchemaInternalController,
  ],
  providers: [BlockTypeTools, CollectionTools, FieldTools],
  entities: [
    BlockType,
    BlockTypeVersion,
    Collection,
    ChangeCounter,
    EntryCount,
    Field,
    Relation,
    ReferenceLink,
  ],
})
export class SchemaModule {}
