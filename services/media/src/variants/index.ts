export { MediaVariant } from './variant.entity.js';
export { lookOf, nameOf, variantParameters, variantQuery, type VariantQuery } from './variant-query.js';
export { Variants } from './variants.js';
export { doomVariants } from './variants.repository.js';
export { variantsMigration } from './variants.tables.js';
