export { createTaxonomy } from './operations/create-taxonomy.js';
export {
  insertDefinition,
  lockTaxonomy,
  selectDefinitions,
  selectDefinitionsOfTaxonomy,
  selectTaxonomies,
  selectTaxonomy,
  updateTaxonomyRow,
  upsertTaxonomy,
  type TaxonomyRow,
} from './taxonomies.repository.js';
export {
  boundedText,
  label,
  localeCode,
  localeQuery,
  rowId,
  taxonomyParams,
  taxonomySchema,
} from './taxonomies.schemas.js';
export { TaxonomyDefinition } from './taxonomy-definition.entity.js';
export { Taxonomy } from './taxonomy.entity.js';
