export { createTaxonomy } from './operations/create-taxonomy.js';
export {
  lockTaxonomy,
  selectDefinitions,
  selectTaxonomy,
  type TaxonomyRow,
} from './taxonomies.repository.js';
export { boundedText, label, localeCode, localeQuery, rowId, taxonomyParams } from './taxonomies.schemas.js';
export { Taxonomy } from './taxonomy.entity.js';
