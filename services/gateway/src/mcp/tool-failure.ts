import type { ErrorCode, ErrorDetails, QuireError } from '@quire/errors';
import { guidanceFor, type FailedTool } from './tool-guidance.js';

/** A failed call as a client sees it. */
export interface ToolFailure {
  code: string;
  /** `[CODE] message`, with what to do next. */
  text: string;
  details?: ErrorDetails;
}

/** Clients cut longer texts. */
const maxTextLength = 9_000;
const maxIssues = 50;

/** Codes of REST whose meaning has another code here (contract 2.10). */
const toolCodes: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: 'INSUFFICIENT_PERMISSIONS',
  INSUFFICIENT_ROLE: 'INSUFFICIENT_PERMISSIONS',
  COLLECTION_NOT_FOUND: 'NOT_FOUND',
  FIELD_NOT_FOUND: 'NOT_FOUND',
  TABLE_NOT_FOUND: 'NOT_FOUND',
  BLOCK_TYPE_NOT_FOUND: 'NOT_FOUND',
  INVALID_JSON: 'VALIDATION_ERROR',
  MISSING_PARAM: 'VALIDATION_ERROR',
  INVALID_REQUEST: 'VALIDATION_ERROR',
  INVALID_INPUT: 'VALIDATION_ERROR',
  INVALID_REVISION: 'VALIDATION_ERROR',
  INVALID_TITLE_FIELD: 'VALIDATION_ERROR',
  INVALID_DATE_FIELD: 'VALIDATION_ERROR',
  MEDIA_USAGE_ACTIVATION_CHECK_FAILED: 'SERVICE_UNAVAILABLE',
  TRANSFER_FENCE_CHECK_FAILED: 'SERVICE_UNAVAILABLE',
};

/** Describes the error of a call for the program that made it (spec document 2, Errors). */
export function toToolFailure(error: QuireError, tool: FailedTool): ToolFailure {
  const code = toolCodes[error.code] ?? error.code;
  const guidance = guidanceFor(code, tool, error);
  const message = error.message.slice(0, maxTextLength);
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  const details = boundedDetails(error.details);
  return {
    code,
    text: `[${code}] ${guidance === undefined ? message : `${sentence} ${guidance}`}`,
    ...(details === undefined ? {} : { details }),
  };
}

function boundedDetails(details: ErrorDetails | undefined): ErrorDetails | undefined {
  const { issues } = details ?? {};
  if (!Array.isArray(issues) || issues.length <= maxIssues) return details;
  return { ...details, issues: issues.slice(0, maxIssues), issueCount: issues.length };
}
