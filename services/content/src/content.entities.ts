import { Collection, Field } from './schema/index.js';
import { Taxonomy, TaxonomyDefinition } from './taxonomies/index.js';
import { Term, TermGroup } from './terms/index.js';

/** Fixed tables that are read and written as TypeORM entities. */
export const contentEntities = [Collection, Field, Taxonomy, TaxonomyDefinition, TermGroup, Term];
