import { randomUUID } from 'node:crypto';
import { testMeilisearch } from '@quire/testing';
import { searchEngineConformance } from '../conformance/search-engine.conformance.js';
import { meilisearchEngine } from './meilisearch-engine.js';

const namespace = `test_${randomUUID().slice(0, 8)}`;

searchEngineConformance('on Meilisearch', () => meilisearchEngine({ ...testMeilisearch(), namespace }));
