import { ApiError, isSignedOut } from '@quire/api-client';
import type { FieldIssue } from './field-store.js';
import { isRecord } from './equality.js';

/** The user whose change has won, if the server knows. */
export interface Editor {
  id: string;
  name: string | null;
}

/** The user who holds the lease of an entry. */
export interface LeaseHolder {
  userId: string;
  userName: string | null;
  acquiredAt: string;
  expiresAt: string;
}

/**
 * What a failed request means for the text: `connection`: it may have been executed, and is repeated; `read-only`: the
 * site accepts no writes for now; `stale`: another change came first; `locked`: another user holds the lease;
 * `invalid`: fields to correct; `gone`, `denied` and `rejected`: repeating does not help.
 */
export type WriteFailure =
  | { kind: 'connection'; retryAfterMs: number | undefined }
  | { kind: 'read-only' | 'signed-out' | 'account-disabled' | 'gone' | 'denied' | 'rejected' }
  | { kind: 'stale'; editedBy: Editor | null }
  | { kind: 'locked'; holder: LeaseHolder | undefined }
  | { kind: 'invalid'; issues: readonly FieldIssue[] };

/** Classifies the error of a request about an entry. */
export function toWriteFailure(error: unknown): WriteFailure {
  if (!(error instanceof ApiError)) return { kind: 'rejected' };
  const { status, code, retryAfterMs } = error;
  // Its type would make all others no errors of the API.
  const endsSession: boolean = isSignedOut(error);
  if (endsSession) return { kind: 'signed-out' };
  if (code === 'ACCOUNT_DISABLED') return { kind: 'account-disabled' };
  if (status === 503 && /^(TRANSFER|MEDIA_USAGE)_/.test(code)) return { kind: 'read-only' };
  // A response without the envelope is a proxy's: the write may have been executed, whatever the status.
  const isUnclear = status < 400 || code === 'UNEXPECTED_RESPONSE';
  if (isUnclear || status >= 500 || status === 429 || status === 408)
    return { kind: 'connection', retryAfterMs };
  return toPermanentFailure(error);
}

function toPermanentFailure({ status, code, details, message }: ApiError): WriteFailure {
  if (code === 'ENTRY_LOCKED') return { kind: 'locked', holder: toHolder(details) };
  if (code === 'SLUG_CONFLICT')
    return { kind: 'invalid', issues: [{ code: 'taken', path: '@slug', message }] };
  if (code === 'CONFLICT' && typeof details['field'] === 'string')
    return { kind: 'invalid', issues: [{ code: 'taken', path: details['field'], message }] };
  if (code === 'CONFLICT') return { kind: 'stale', editedBy: toEditor(details['editedBy']) };
  if (code === 'VALIDATION_ERROR') return { kind: 'invalid', issues: toIssues(details['issues']) };
  if (status === 404) return { kind: 'gone' };
  return { kind: status === 403 ? 'denied' : 'rejected' };
}

function toEditor(value: unknown): Editor | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null;
  return { id: value['id'], name: typeof value['name'] === 'string' ? value['name'] : null };
}

function toHolder({ userId, userName, acquiredAt, expiresAt }: ApiError['details']): LeaseHolder | undefined {
  if (typeof userId !== 'string') return undefined;
  const name = typeof userName === 'string' ? userName : null;
  return { userId, userName: name, acquiredAt: String(acquiredAt), expiresAt: String(expiresAt) };
}

function toIssues(value: unknown): FieldIssue[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ code, path, message }) => ({
    path: String(path),
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
  }));
}
