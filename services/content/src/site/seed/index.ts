export { defaultSeed, type Seed, type SeedCollection } from './default-seed.js';
export { applySeed } from './seed.operations.js';
export { selectUnchangedSeed, type SeededRecord } from './unchanged-seed.js';
