import { ApiError } from '@quire/api-client';
import type { MessageKey, Translate } from '../locales/messages.js';

const messages: Readonly<Record<string, MessageKey>> = {
  CONFLICT: 'problem.conflict',
  ENTRY_LOCKED: 'problem.locked',
  FORBIDDEN: 'problem.forbidden',
  INSUFFICIENT_PERMISSIONS: 'problem.forbidden',
  NETWORK_ERROR: 'problem.network',
  INVALID_TYPE: 'problem.fileType',
  NOT_AUTHENTICATED: 'problem.signedOut',
  NOT_FOUND: 'problem.notFound',
  NO_STORAGE: 'problem.storage',
  PAYLOAD_TOO_LARGE: 'problem.fileSize',
  RATE_LIMITED: 'problem.rateLimited',
  SLUG_CONFLICT: 'problem.slugConflict',
};

/** What users see of an error: words, and what support needs of it. */
export interface ErrorWords {
  text: string;
  /** Code of the API. */
  code?: string;
  requestId?: string | undefined;
}

/** An error of a change in words. */
export function errorWords(t: Translate, error: unknown): ErrorWords {
  if (!(error instanceof ApiError)) return { text: t('problem.unknown') };
  const { code, requestId, status, message } = error;
  if (code === 'VALIDATION_ERROR') return { text: t('problem.validation', { message }), code };
  const known = messages[code] ?? (status === 503 ? 'problem.unavailable' : undefined);
  if (known) return { text: t(known), code };
  return { text: t('problem.unknown'), code, requestId };
}

/** The words of an error, with what support needs in parentheses. */
export function sentenceOf({ text, code, requestId }: ErrorWords): string {
  const facts = [code, requestId].filter(Boolean).join(', ');
  return facts === '' ? text : `${text} (${facts})`;
}
