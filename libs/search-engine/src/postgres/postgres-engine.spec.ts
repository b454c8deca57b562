import { searchEngineConformance } from '../conformance/search-engine.conformance.js';
import { postgresEngine } from './postgres-engine.js';

searchEngineConformance('on PostgreSQL', postgresEngine);
