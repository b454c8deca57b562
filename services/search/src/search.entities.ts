import { SearchCollection, SearchGeneration } from './collections/index.js';

/** Tables of a tenant, as the migrations are held against them. */
export const searchEntities = [SearchCollection, SearchGeneration];
