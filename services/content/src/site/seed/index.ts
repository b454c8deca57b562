export { defaultSeed, type Seed } from './default-seed.js';
export { applySeed } from './seed.operations.js';
export { selectUnchangedSeed, type SeededRecord } from './unchanged-seed.js';
