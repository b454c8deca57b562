export { ExportAnalysis } from './export-analysis.js';
