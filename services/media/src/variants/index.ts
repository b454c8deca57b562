export { MediaVariant } from './variant.entity.js';
export { isPublicVariant, requireVariantReader } from './variant.policy.js';
export { lookOf, nameOf, variantParameters, variantQuery, type VariantQuery } from './variant-query.js';
export { imageKey, VariantSignatures } from './variant-signatures.js';
export { Variants } from './variants.js';
export { doomVariants } from './variants.repository.js';
export { variantsMigration, variantUsesMigration } from './variants.tables.js';
