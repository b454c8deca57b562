export { isPublicVariant, assertVariantReader } from './variant.policy.js';
export { parseVariantSpec, variantParameters, variantQuery, type VariantQuery } from './variant-query.js';
export { imageKey, VariantSignatures } from './variant-signatures.js';
export { Variants } from './variants.js';
export { scheduleVariantDeletion, scheduleVariantDeletions } from './variants.repository.js';
