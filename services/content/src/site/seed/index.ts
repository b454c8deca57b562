export { defaultSeed, type Seed } from './default-seed.js';
export { selectUnchangedSeed, type SeededRecord } from './unchanged-seed.js';
