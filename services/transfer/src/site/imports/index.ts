export type { AnalysisCursor } from './analysis/analysis-cursor.js';
export type { ExecutionCursor } from './execution-cursor.js';
export type { Decisions, Plan } from './plan/plan.js';
export type { Receipt } from './receipt/receipt.js';
