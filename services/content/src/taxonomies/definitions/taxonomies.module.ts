import { ResourceModule } from '@quire/operation';
import { TaxonomiesController } from './taxonomies.controller.js';
import { TaxonomyTools } from './taxonomies.tools.js';
import { TaxonomyDefinition } from './taxonomy-definition.entity.js';
import { Taxonomy } from './taxonomy.entity.js';

@ResourceModule({
  controllers: [TaxonomiesController],
  providers: [TaxonomyTools],
  entities: [Taxonomy, TaxonomyDefinition],
})
export class TaxonomiesModule {}
